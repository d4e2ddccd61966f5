import type { Command } from 'commander';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { hostCommand } from '../processes/host-command.ts';
import { bridgeProcess, watcherProcess, workerPart } from '../processes/processes.ts';
import { settingOptions } from '../settings/setting-options.ts';

export const upCommand = (): Command =>
  archiveOptions(
    evidenceOptions(
      configurationOptions(
        settingOptions(
          hostCommand('up', 'run worker and watcher by one command, on one machine', (settings) =>
            Promise.all([
              ...[workerPart(settings), watcherProcess()],
              ...(settings.bridge ? [bridgeProcess()] : []),
            ]),
          ),
          ['processes'],
        ),
      ),
    ),
  );
