import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { formatFault } from '../../contracts/faults.ts';
import type { RecordedPod } from '../../contracts/pods-record.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import type { ComparedJob } from '../../record/compare/compare-jobs.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import { type ChosenJob, findJob } from '../jobs/job-choice.ts';
import { historiesIn, sourceIn } from '../jobs/recorded-source.ts';
import { replayHere } from '../jobs/replay-ledger.ts';
import { note } from '../print/output.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../shell/errors.ts';

/** A job as the command line names it: `NAME`, `NAME@RUN`, `NAME@REVISION` or `NAME@RUN@REVISION`. */
export interface NamedSide {
  readonly given: string;
  /** With the run, if one is given. */
  readonly job: string;
  readonly revision?: number;
}

export function namedSide(given: string): NamedSide {
  const { job = given, revision } = SIDE.exec(given)?.groups ?? {};
  return { given, job, ...(revision === undefined ? {} : { revision: Number(revision) }) };
}

/** A run has more digits than a revision. */
const SIDE = /^(?<job>.+?)(@(?<revision>\d{1,5}))?$/;

/** Reads a job from Temporal and the evidence store; needs no worker. */
export async function readSide(
  client: SignalboxClient,
  {
    side,
    chosen,
    settings,
  }: { readonly side: NamedSide; readonly chosen: ChosenJob; readonly settings: Settings },
): Promise<ComparedJob> {
  const job = await findJob(client, chosen);
  const { workflowId } = job;
  const [{ runs }, runId, entries, pods] = await Promise.all([
    job.histories(),
    job.firstRunId(),
    job.history({ replay: replayHere(settings.temporal) }),
    podsOf(job),
  ]);
  const histories = runs.map(({ history }) => history);
  return { workflowId, runId, entries, pods, ...(await revisionOf(side, histories, settings)) };
}

/** Reads a job from its archive. */
export async function readArchivedSide(
  archive: JobArchive,
  side: NamedSide,
  settings: Settings,
): Promise<ComparedJob> {
  const histories = await historiesIn(archive);
  const { workflowId, firstRunId: runId } = archive.job;
  const [entries, pods] = await Promise.all([archive.ledger(), archive.pods()]);
  return { workflowId, runId, entries, pods, ...(await revisionOf(side, histories, settings)) };
}

/** By default what the job ended with. */
async function revisionOf(
  { given, revision: wanted }: NamedSide,
  histories: readonly RunHistory[],
  settings: Settings,
): Promise<Pick<ComparedJob, 'revision' | 'manifest'>> {
  const { manifestOfRevision } = await import('../../client/use-cases/rerun/rerun-manifest.ts');
  const source = await sourceIn(histories, settings);
  const revision = wanted ?? source.revisions.at(-1)?.number ?? 1;
  const found = manifestOfRevision(source, revision);
  if ('fault' in found) throw new UsageError(`${given}: ${formatFault(found.fault)}.`);
  return { revision, manifest: found.manifest };
}

async function podsOf(job: JobHandle): Promise<readonly RecordedPod[]> {
  try {
    return (await job.pods()).flatMap(({ pods }) => pods);
  } catch (error) {
    note(`warning: what ran in ${job.workflowId} is not known: ${errorMessage(error)}`);
    return [];
  }
}
