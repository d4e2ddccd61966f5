import type { Command } from 'commander';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { hostCommand } from '../processes/host-command.ts';
import { workerPart } from '../processes/processes.ts';
import { settingOptions } from '../settings/setting-options.ts';

export const workerCommand = (): Command =>
  archiveOptions(
    evidenceOptions(
      configurationOptions(
        settingOptions(
          hostCommand('worker', 'run the workflows and activities of jobs', async (settings) => [
            await workerPart(settings),
          ]),
          ['processes'],
        ),
      ),
    ),
  );
