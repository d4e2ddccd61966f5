import { workflowIdOf } from '../../../contracts/labels.ts';
import { isRunReference, type JobOfName, jobsMeant, RUN_EXPECTED } from '../../../contracts/run-reference.ts';
import type { Archive, ArchivedJobChoice } from '../../../record/archive/archive-reader.ts';
import { runIdsOf } from '../../../record/archive/archived-job.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { AmbiguousRunError, JobNotFoundError, type KnownJob, RefusedError } from '../../errors/errors.ts';

export type WantedArchive = ArchivedJobChoice & {
  readonly run?: string;
  /** Jobs of the name that Temporal has: `-1` counts them, too. */
  readonly live?: readonly KnownJob[];
};

interface FoundArchive {
  readonly job: JobArchive;
  /** How many jobs of the name are archived. */
  readonly count: number;
}

/** Returns the archived job that is meant. Throws `JobNotFoundError` or `AmbiguousRunError`, with the jobs there are. */
export async function findArchived(
  archive: Archive,
  { run, live = [], ...wanted }: WantedArchive,
): Promise<FoundArchive> {
  const workflowId = 'workflowId' in wanted ? wanted.workflowId : workflowIdOf(wanted);
  const missing = { archive: archive.store.location };
  const found = await archive.all(wanted);
  if (run === undefined) {
    if (found[0]) return { job: found[0], count: found.length };
    throw new JobNotFoundError(workflowId, missing);
  }
  if (!isRunReference(run))
    throw new RefusedError(`run: expected ${RUN_EXPECTED}, got ${JSON.stringify(run)}.`);
  const older = found.map(ofName).filter((job) => !live.some((one) => isSame(one, job)));
  const all: readonly (KnownJob | ArchivedOfName)[] = [...live, ...older];
  const meant = jobsMeant(all, run).flatMap((job) => ('archive' in job ? [job] : []));
  if (meant.length > 1) throw new AmbiguousRunError({ workflowId, run }, meant);
  if (meant[0]) return { job: meant[0].archive, count: found.length };
  throw new JobNotFoundError(workflowId, { ...missing, run, known: found.map(ofName) });
}

interface ArchivedOfName extends KnownJob {
  readonly archive: JobArchive;
}

const ofName = (archive: JobArchive): ArchivedOfName => {
  const { status, submitted } = archive.job;
  return { archive, runIds: runIdsOf(archive.job), phase: status.phase, startTime: submitted.at };
};

const isSame = (one: JobOfName, other: JobOfName) => one.runIds.some((runId) => other.runIds.includes(runId));
