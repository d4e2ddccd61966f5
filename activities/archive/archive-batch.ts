import { pMapIterable } from 'p-map';
import { errorMessage } from '../../contracts/error-message.ts';
import { runKey } from '../../record/archive/archive-keys.ts';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import type { LogLeaf } from '../../record/archive/log-leaf.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import type { ArchiverDependencies, ReplayedHistories } from './archiver-dependencies.ts';
import type { ClosedJob } from './closed-jobs.ts';
import { jobContents } from './job-contents.ts';
import { isAwaitingSweep, lookForArchive } from './look-for-archive.ts';
import { inStore, StoreAwayError } from './store-away.ts';
import { readWholeChain, type WholeChain } from './whole-chain.ts';

/** Histories that are read ahead of their replay, unless one of them is long. */
const AHEAD = 4;
const LONG_EVENTS = 5_000;

/** What became of a job. */
export type JobResult = { readonly job: ClosedJob } & (
  | { readonly is: 'written' | 'known'; readonly leaf: LogLeaf }
  /** Temporal has deleted it meanwhile, or it waits for the watcher's sweep. */
  | { readonly is: 'gone' | 'waiting' }
  | { readonly is: 'failed'; readonly why: string }
);

interface Batch {
  readonly isUrgent: (job: ClosedJob) => boolean;
}

type Prepared = JobResult | { readonly job: ClosedJob; readonly is: 'ready'; readonly chain: WholeChain };
type Ready = Extract<Prepared, { readonly is: 'ready' }>;

/** Archives these jobs, as far as they are not yet. Throws only if the archive's store does not work. */
export async function* archiveBatch(
  dependencies: ArchiverDependencies,
  jobs: readonly ClosedJob[],
  { isUrgent }: Batch,
): AsyncGenerator<JobResult> {
  const results: JobResult[] = [];
  const queue: Ready[] = [];
  for await (const derived of dependencies.ledgersOf(readyOnes(dependencies, jobs, { results, queue }))) {
    yield* results.splice(0);
    const { job, chain } = queue.shift()!;
    const gathered = { chain, derived, isUrgent: isUrgent(job) };
    yield await ofJob(job, async () => {
      const contents = await jobContents(dependencies, job, gathered);
      const leaf = await inStore(dependencies, () => writeArchive(dependencies.store, contents));
      await removeKept(dependencies, chain);
      return { job, is: 'written', leaf };
    });
  }
  yield* results;
}

/** Yields the histories of jobs that can be archived, and puts the others into the results. */
async function* readyOnes(
  dependencies: ArchiverDependencies,
  jobs: readonly ClosedJob[],
  { results, queue }: { readonly results: JobResult[]; readonly queue: Ready[] },
): AsyncGenerator<ReplayedHistories> {
  const isLong = jobs.some(({ historyLength }) => historyLength > LONG_EVENTS);
  const concurrency = isLong ? 1 : AHEAD;
  const prepared = pMapIterable(jobs, (job) => prepare(dependencies, job), {
    concurrency,
    backpressure: concurrency,
  });
  for await (const one of prepared) {
    if (one.is !== 'ready') results.push(one);
    else {
      queue.push(one);
      yield { workflowId: one.job.workflowId, runs: one.chain.runs.map(({ history }) => history) };
    }
  }
}

async function prepare(dependencies: ArchiverDependencies, job: ClosedJob): Promise<Prepared> {
  return ofJob<Prepared>(job, async () => {
    const looked = await lookForArchive(dependencies, job);
    if (looked.archive) return { job, is: 'known', leaf: looked.archive.leaf };
    if (await isAwaitingSweep(dependencies, job, looked.firstRunId)) return { job, is: 'waiting' };
    return { job, is: 'ready', chain: await readWholeChain(dependencies, job) };
  });
}

/** What is wrong with one job must not keep the others from the archive. */
async function ofJob<T extends Prepared>(job: ClosedJob, work: () => Promise<T>): Promise<T | JobResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreAwayError) throw error;
    return isAboutMissingRun(error) ? { job, is: 'gone' } : { job, is: 'failed', why: errorMessage(error) };
  }
}

/** Removes the runs that were kept until their job ended. */
async function removeKept(dependencies: ArchiverDependencies, { runs }: WholeChain): Promise<void> {
  for (const { runId } of runs.slice(0, -1))
    await inStore(dependencies, () => dependencies.store.remove(runKey(runId)));
}
