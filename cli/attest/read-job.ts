import type { Command } from 'commander';
import type { AttestedJob } from '../../record/attest/attested-job.ts';
import { type ArchivedFlags, liveOrArchived } from '../archived/archived.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { attestedFromArchive, attestedFromServer } from './attested-job.ts';

/** Reads the job that a command line names, from the servers or from the archive. */
export const readAttestedJob = (
  name: string | undefined,
  command: Command,
  { archived }: ArchivedFlags,
): Promise<AttestedJob> =>
  liveOrArchived({ command, archived }, chosenJob(name, command), {
    server: (job, { settings: { temporal } }) =>
      attestedFromServer(job, `temporal://${temporal.address}/${temporal.namespace}`),
    archive: attestedFromArchive,
  });
