import type { Command } from 'commander';
import { hostCommand } from '../host-command.ts';
import { workerPart } from '../parts.ts';

export const workerCommand = (): Command =>
  hostCommand('worker', 'run the workflows and activities of jobs', async () => [await workerPart()]);
