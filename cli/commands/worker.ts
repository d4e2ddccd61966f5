import type { Command } from 'commander';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { hostCommand } from '../processes/host-command.ts';
import { workerProcess } from '../processes/processes.ts';

export const workerCommand = (): Command =>
  archiveOptions(
    evidenceOptions(
      configurationOptions(
        hostCommand('worker', 'run the workflows and activities of jobs', async () => [
          await workerProcess(),
        ]),
      ),
    ),
  );
