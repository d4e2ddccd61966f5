import type { Command } from 'commander';
import { hostCommand } from '../host-command.ts';
import { configurationOptions, evidenceOptions } from '../job-options.ts';
import { workerPart } from '../parts.ts';

export const workerCommand = (): Command =>
  evidenceOptions(
    configurationOptions(
      hostCommand('worker', 'run the workflows and activities of jobs', async () => [await workerPart()]),
    ),
  );
