import type { Command } from 'commander';
import type { InvalidManifestError } from '../../client/errors/errors.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { formatFault } from '../../contracts/faults.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import type { ComparedJob } from '../../record/compare/compare-jobs.ts';
import { orArchived, withArchivedJob } from '../archived/archived-job.ts';
import { type ChosenJob, chosenJob, findJob } from '../jobs/job-choice.ts';
import { replayHere } from '../jobs/replay-ledger.ts';
import { note } from '../print/output.ts';
import { connectedClient } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';
import { hasCode, UsageError } from '../shell/errors.ts';

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
    const fromArchive = async (archive: JobArchive) => {
      const { comparedArchive } = await import('../../client/use-cases/compare/compared-job.ts');
      return comparedArchive(archive, side, settings.temporal);
    };
    const ask = () => askSide(client!, { side, chosen, settings });
    const reading = client
      ? orArchived(ask, { chosen, settings, read: fromArchive })
      : withArchivedJob(chosen, settings, fromArchive);
    return reading.catch((error: unknown) => {
      throw aboutRevision(error, side);
    });
  };
  try {
    return await Promise.all(given.map(read));
  } finally {
    await client?.close();
  }
}

interface AskedSide {
  readonly side: NamedSide;
  readonly chosen: ChosenJob;
  readonly settings: Settings;
}

async function askSide(
  client: SignalboxClient,
  { side: { revision }, chosen, settings }: AskedSide,
): Promise<ComparedJob> {
  const job = await findJob(client, chosen);
  const onUnknownPods = (error: unknown) =>
    note(`warning: what ran in ${job.workflowId} is not known: ${errorMessage(error)}`);
  return job.compared({ revision, replay: replayHere(settings.temporal), onUnknownPods });
}

/** The only value of a manifest that is asked for here. */
function aboutRevision(error: unknown, { given }: NamedSide): unknown {
  if (!hasCode<InvalidManifestError>(error, 'InvalidManifest')) return error;
  return new UsageError(`${given}: ${error.faults.map(formatFault).join(', ')}.`);
}

/** A job as the command line names it: `NAME`, `NAME@RUN`, `NAME@REVISION` or `NAME@RUN@REVISION`. */
interface NamedSide {
  readonly given: string;
  /** With the run, if one is given. */
  readonly job: string;
  readonly revision?: number;
}

function namedSide(given: string): NamedSide {
  const { job = given, revision } = SIDE.exec(given)?.groups ?? {};
  return { given, job, ...(revision === undefined ? {} : { revision: Number(revision) }) };
}

/** A run has more digits than a revision. */
const SIDE = /^(?<job>.+?)(@(?<revision>\d{1,5}))?$/;
