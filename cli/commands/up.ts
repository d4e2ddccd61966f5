import type { Command } from 'commander';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { consolePart } from '../processes/console-part.ts';
import { hostCommand } from '../processes/host-command.ts';
import {
  bridgeProcess,
  bridgeWatch,
  notifierProcess,
  watcherProcess,
  workerPart,
} from '../processes/processes.ts';
import { settingOptions } from '../settings/setting-options.ts';
import type { Settings } from '../settings/settings.ts';

export const upCommand = (): Command =>
  archiveOptions(
    evidenceOptions(
      configurationOptions(
        settingOptions(
          hostCommand(
            'up',
            'run worker, watcher, bridge, notifier and console by one command, on one machine',
            (settings) =>
              Promise.all([
                workerPart(settings),
                watcherProcess(),
                bridgePart(settings),
                ...(settings.notifications === undefined ? [] : [notifierProcess()]),
                ...(settings.values.consolePort === undefined ? [] : [consolePart()]),
              ]),
          ),
          ['processes', 'notifications'],
        ),
      ),
    ),
  );

const bridgePart = ({ bridge }: Settings) =>
  bridge ? bridgeProcess({ onlyIfWanted: bridge === 'auto' }) : bridgeWatch();
