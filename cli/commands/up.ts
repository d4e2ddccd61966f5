import type { Command } from 'commander';
import { hostCommand } from '../host-command.ts';
import { configurationOptions, evidenceOptions } from '../job-options.ts';
import { watcherPart, workerPart } from '../parts.ts';

export const upCommand = (): Command =>
  evidenceOptions(
    configurationOptions(
      hostCommand('up', 'run worker and watcher in one process, for one machine', () =>
        Promise.all([workerPart(), watcherPart()]),
      ),
    ),
  );
