import type { Command } from 'commander';
import { hostCommand } from '../processes/host-command.ts';
import { watcherProcess } from '../processes/processes.ts';

export const watcherCommand = (): Command =>
  hostCommand('watcher', 'tell jobs what happens to them in the cluster', async () => [
    await watcherProcess(),
  ]);
