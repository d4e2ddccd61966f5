import type { Command } from 'commander';
import { hostCommand } from '../processes/host-command.ts';
import { bridgeProcess } from '../processes/processes.ts';

export const bridgeCommand = (): Command =>
  hostCommand('bridge', 'run the jobs that are applied as custom resources', async () => [
    await bridgeProcess(),
  ]);
