import type { Command } from 'commander';
import { hostCommand } from '../processes/host-command.ts';
import { watcherProcess } from '../processes/processes.ts';

export const watcherCommand = (): Command =>
  hostCommand('watcher', 'report to jobs what happens to their pods', async () => [await watcherProcess()]);
