import type { Command } from 'commander';
import { hostCommand } from '../processes/host-command.ts';
import { watcherProcess } from '../processes/processes.ts';

export const watcherCommand = (): Command =>
  hostCommand('watcher', 'send jobs the state of their pods', async () => [await watcherProcess()]);
