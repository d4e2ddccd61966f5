import type { Command } from 'commander';
import { hostCommand } from '../processes/host-command.ts';
import { notifierProcess } from '../processes/processes.ts';
import { settingOptions } from '../settings/setting-options.ts';

export const notifierCommand = (): Command =>
  settingOptions(
    hostCommand('notifier', 'tell people what becomes of jobs, by the routes of a file', async () => [
      await notifierProcess(),
    ]),
    ['notifications'],
  );
