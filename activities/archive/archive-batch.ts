import { pMapIterable } from 'p-map';
import { errorMessage } from '../../language/error-message.ts';
import { runKey } from '../../record/archive/archive-keys.ts';
import { type ArchiveContents, writeArchive } from '../../record/archive/archive-writer.ts';
import type { LogLeaf } from '../../record/archive/log-leaf.ts';
import { sealOf } from '../../record/log/seal-of.ts';
import { jobUsesOf } from '../../record/uses/job-uses.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import type { ArchiverDependencies, ReplayedHistories } from './archiver-dependencies.ts';
import { ChainRecord } from './chain-record.ts';
import type { ClosedJob } from './closed-jobs.ts';
import { chainOfOne, findChain, type JobChain, readHistory } from './job-chain.ts';
import { jobContents } from './job-contents.ts';
import { isAwaitingCleanUp, lookForArchive } from './look-for-archive.ts';
import { ReadableParts } from './readable-parts.ts';
import { isStoreAway } from './store-away.ts';

/** Jobs whose histories are read ahead of their replay, unless these are long. */
const AHEAD = 4;
const LONG_EVENTS = 5_000;

/** The result for a job. */
export type JobResult = { readonly job: ClosedJob } & (
  | { readonly is: 'written' | 'known'; readonly leaf: LogLeaf }
  /** Temporal has deleted it meanwhile, a user its archive, a reset has ended it, or it waits for the watcher's clean-up of orphans. */
  | { readonly is: 'gone' | 'deleted' | 'reset' | 'waiting' }
  | { readonly is: 'failed'; readonly why: string }
);

interface Batch {
  readonly isUrgent: (job: ClosedJob) => boolean;
}

type Prepared = JobResult | { readonly job: ClosedJob; readonly is: 'ready'; readonly record: ChainRecord };
type Ready = Extract<Prepared, { readonly is: 'ready' }>;

/** Archives these jobs, as far as they are not yet. Throws only if the archive's store does not work. */
export async function* archiveBatch(
  dependencies: ArchiverDependencies,
  jobs: readonly ClosedJob[],
  { isUrgent }: Batch,
): AsyncGenerator<JobResult> {
  const results: JobResult[] = [];
  const queue: Ready[] = [];
  for await (const derived of dependencies.ledgersOf(
    readyOnes(dependencies, jobs, { results, queue, isUrgent }),
  )) {
    yield* results.splice(0);
    const { job, record } = queue.shift()!;
    const gathered = { record, derived, isUrgent: isUrgent(job) };
    yield await ofJob(dependencies, job, async () => {
      record.check();
      const contents = await jobContents(dependencies, job, gathered);
      const leaf = await writeArchive(dependencies.store, contents, sealOf(await dependencies.ready()));
      countUsesOf(dependencies, contents);
      await removeKept(dependencies, record.chain);
      return { job, is: 'written', leaf };
    });
  }
  yield* results;
}

/** Yields the histories of jobs that can be archived, and puts the others into the results. */
async function* readyOnes(
  dependencies: ArchiverDependencies,
  jobs: readonly ClosedJob[],
  { results, queue, isUrgent }: Batch & { readonly results: JobResult[]; readonly queue: Ready[] },
): AsyncGenerator<ReplayedHistories> {
  const prepared = pMapIterable(jobs, (job) => prepare(dependencies, job, isUrgent(job)), {
    concurrency: AHEAD,
    backpressure: AHEAD,
  });
  for await (const one of prepared) {
    if (one.is !== 'ready') results.push(one);
    else {
      queue.push(one);
      yield { workflowId: one.job.workflowId, runs: one.record.read() };
    }
  }
}

async function prepare(
  dependencies: ArchiverDependencies,
  job: ClosedJob,
  isUrgent: boolean,
): Promise<Prepared> {
  return ofJob<Prepared>(dependencies, job, async () => {
    const { archive, isDeleted, isReset, firstRunId } = await lookForArchive(dependencies, job);
    if (archive) return { job, is: 'known', leaf: archive.leaf };
    if (isDeleted) return { job, is: 'deleted' };
    if (isReset) return { job, is: 'reset' };
    if (await isAwaitingCleanUp(dependencies, job, firstRunId)) return { job, is: 'waiting' };
    const chain = await chainOf(dependencies, job, firstRunId);
    const parts = new ReadableParts({ isUrgent });
    return {
      job,
      is: 'ready',
      record: new ChainRecord(dependencies, { ...job, firstRunId }, { chain, parts }),
    };
  });
}

/** Reads a short history at once, to have it when the replay asks for it. */
async function chainOf(
  dependencies: ArchiverDependencies,
  job: ClosedJob,
  firstRunId: string,
): Promise<JobChain> {
  if (firstRunId !== job.runId || job.historyLength > LONG_EVENTS) return findChain(dependencies, job);
  return chainOfOne(job.runId, await readHistory(dependencies, job));
}

/** What is wrong with one job must not keep the others from the archive. */
async function ofJob<T extends Prepared>(
  dependencies: ArchiverDependencies,
  job: ClosedJob,
  work: () => Promise<T>,
): Promise<T | JobResult> {
  try {
    return await work();
  } catch (error) {
    if (await isStoreAway(dependencies, error)) throw error;
    return isAboutMissingRun(error) ? { job, is: 'gone' } : { job, is: 'failed', why: errorMessage(error) };
  }
}

/** Removes the runs that were kept until their job ended. */
async function removeKept(dependencies: ArchiverDependencies, { runs }: JobChain): Promise<void> {
  for (const { runId } of runs.slice(0, -1)) await dependencies.store.remove(runKey(runId));
}

/** A metric: what no account can be made of is in the archive all the same. */
function countUsesOf({ countUses, log }: ArchiverDependencies, { entries, job }: ArchiveContents): void {
  const { namespace, closed, manifest } = job;
  try {
    countUses(namespace, jobUsesOf(entries, { until: Date.parse(closed), manifest }).uses);
  } catch (error) {
    log.warn(`uses of the devices of ${namespace}/${job.name} are not counted: ${errorMessage(error)}`);
  }
}
