import type { Command } from 'commander';
import { hostCommand } from '../host-command.ts';
import { watcherPart } from '../parts.ts';

export const watcherCommand = (): Command =>
  hostCommand('watcher', 'tell jobs what happens to them in the cluster', async () => [await watcherPart()]);
