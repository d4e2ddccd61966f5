import type { Command } from 'commander';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { hostCommand } from '../processes/host-command.ts';
import { bridgeProcess, bridgeWatch, watcherProcess, workerPart } from '../processes/processes.ts';
import { settingOptions } from '../settings/setting-options.ts';
import type { Settings } from '../settings/settings.ts';

export const upCommand = (): Command =>
  archiveOptions(
    evidenceOptions(
      configurationOptions(
        settingOptions(
          hostCommand('up', 'run worker, watcher and bridge by one command, on one machine', (settings) =>
            Promise.all([workerPart(settings), watcherProcess(), bridgePart(settings)]),
          ),
          ['processes'],
        ),
      ),
    ),
  );

const bridgePart = ({ bridge }: Settings) =>
  bridge ? bridgeProcess({ onlyIfWanted: bridge === 'auto' }) : bridgeWatch();
