import type { Command } from 'commander';
import { hostCommand } from '../host-command.ts';
import { watcherPart, workerPart } from '../parts.ts';

export const upCommand = (): Command =>
  hostCommand('up', 'run worker and watcher in one process, for one machine', () =>
    Promise.all([workerPart(), watcherPart()]),
  );
