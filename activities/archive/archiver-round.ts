import type { ArchiveFailure } from '../../contracts/archiver.ts';
import { shorten } from '../../contracts/shorten.ts';
import type { LogLeaf } from '../../record/archive/log-leaf.ts';
import { updateIndex } from '../../record/index/archive-index.ts';
import { appendToLog } from '../../record/log/append.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import { archiveBatch, type JobResult } from './archive-batch.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import type { ClosedJob } from './closed-jobs.ts';

/** Jobs between two entries of the log: after a crash, so many archives are looked for again. */
const STEP = 100;

export interface RoundOptions {
  readonly isUrgent: (job: ClosedJob) => boolean;
  /** Called for each job. */
  readonly done: (result: JobResult) => void;
  readonly signal: AbortSignal;
  /** The checkpoint of the log that was signed last, and what is told of the next one. */
  readonly signed?: string;
  readonly onSigned?: (checkpoint: string) => void;
}

/**
 * Archives jobs, enters them in the log, and brings the index up to date. Idempotent: an archive that is there, or in
 * the log, stays as it is.
 */
export async function archiveRound(
  dependencies: ArchiverDependencies,
  jobs: readonly ClosedJob[],
  { isUrgent, done, signal, ...memory }: RoundOptions,
): Promise<void> {
  const signer = await dependencies.ready();
  let { signed } = memory;
  for (let start = 0; start < jobs.length && !signal.aborted; start += STEP) {
    const leaves: LogLeaf[] = [];
    const results: JobResult[] = [];
    for await (const result of archiveBatch(dependencies, jobs.slice(start, start + STEP), { isUrgent })) {
      if ('leaf' in result) leaves.push(result.leaf);
      results.push(result);
      if (signal.aborted) break;
    }
    signed = await enter({ ...dependencies, signer }, leaves, signed);
    if (signed !== undefined) memory.onSigned?.(signed);
    for (const result of results) done(result);
  }
}

async function enter(
  { store, signer, log }: ArchiverDependencies & { readonly signer: LogSigner },
  leaves: readonly LogLeaf[],
  last: string | undefined,
): Promise<string | undefined> {
  if (leaves.length === 0) return last;
  const { appended, conflicting, signed } = await appendToLog(store, signer, leaves, { signed: last });
  for (const { folder } of conflicting) {
    log.error(
      { archive: store.refOf(folder) },
      'the log has another archive of this job: somebody changed one of them; see `signalbox audit verify`',
    );
  }
  if (appended > 0) await updateIndex(store);
  return signed;
}

/** The report of jobs that could not be archived, which each heartbeat has. */
const MOST_TOLD = 50;
const WHY_LENGTH = 300;

export const failuresOf = (results: Iterable<JobResult>): ArchiveFailure[] =>
  [...results]
    .flatMap((one) =>
      one.is === 'failed' ? [{ workflowId: one.job.workflowId, why: shorten(one.why, WHY_LENGTH) }] : [],
    )
    .slice(0, MOST_TOLD);
