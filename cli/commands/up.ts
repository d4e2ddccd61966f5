import type { Command } from 'commander';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { hostCommand } from '../processes/host-command.ts';
import { watcherProcess, workerProcess } from '../processes/processes.ts';

export const upCommand = (): Command =>
  archiveOptions(
    evidenceOptions(
      configurationOptions(
        hostCommand('up', 'run worker and watcher in one process, on one machine', () =>
          Promise.all([workerProcess(), watcherProcess()]),
        ),
      ),
    ),
  );
