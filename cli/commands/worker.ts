import type { Command } from 'commander';
import { hostCommand } from '../host-command.ts';
import { configurationOptions } from '../job-options.ts';
import { workerPart } from '../parts.ts';

export const workerCommand = (): Command =>
  configurationOptions(
    hostCommand('worker', 'run the workflows and activities of jobs', async () => [await workerPart()]),
  );
