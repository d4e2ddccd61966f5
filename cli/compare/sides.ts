import type { Command } from 'commander';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import type { ComparedJob } from '../../record/compare/compare-jobs.ts';
import { orArchived, withArchivedJob } from '../archived/archived-job.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { connectedClient } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';
import { namedSide, readArchivedSide, readSide } from './side.ts';

interface Around {
  readonly archived?: boolean;
  readonly command: Command;
  readonly settings: Settings;
}

/** Reads jobs from the servers, or from the archive what those do not know any more. */
export async function readSides(given: readonly string[], around: Around): Promise<ComparedJob[]> {
  const { archived, command, settings } = around;
  const client = archived ? undefined : await connectedClient(settings);
  const read = (text: string): Promise<ComparedJob> => {
    const side = namedSide(text);
    const chosen = chosenJob(side.job, command);
    const fromArchive = (job: JobArchive) => readArchivedSide(job, side, settings);
    if (!client) return withArchivedJob(chosen, settings, fromArchive);
    const ask = () => readSide(client, { side, chosen, settings });
    return orArchived(ask, { chosen, settings, read: fromArchive });
  };
  try {
    return await Promise.all(given.map(read));
  } finally {
    await client?.close();
  }
}
