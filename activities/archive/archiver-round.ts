import type { ArchiveFailure } from '../../contracts/archiver.ts';
import { shorten } from '../../language/shorten.ts';
import type { AnyLeaf, LogLeaf } from '../../record/archive/log-leaf.ts';
import { updateIndex } from '../../record/index/archive-index.ts';
import { appendToLog } from '../../record/log/append.ts';
import { placeKeyOf } from '../../record/log/log-keys.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import { archiveBatch, type JobResult } from './archive-batch.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import type { ClosedJob } from './closed-jobs.ts';
import { ownLog } from './own-log.ts';

/** Jobs between two entries of the log: after a crash, so many archives are looked for again. */
const STEP = 100;

interface RoundOptions {
  readonly isUrgent: (job: ClosedJob) => boolean;
  /** Called for each job. */
  readonly done: (result: JobResult) => void;
  readonly signal: AbortSignal;
  /** The checkpoint of the log that was signed last, and what is reported of the next one. */
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
  if (jobs.length === 0) return;
  const signer = await ownLog(dependencies);
  let { signed } = memory;
  for (let start = 0; start < jobs.length && !signal.aborted; start += STEP) {
    const leaves: LogLeaf[] = [];
    const results: JobResult[] = [];
    for await (const result of archiveBatch(dependencies, jobs.slice(start, start + STEP), { isUrgent })) {
      if ('leaf' in result) leaves.push(result.leaf);
      results.push(result);
      if (signal.aborted) break;
    }
    const entered = await enter({ ...dependencies, signer }, leaves, signed);
    signed = entered.signed;
    if (signed !== undefined) memory.onSigned?.(signed);
    for (const result of results) done(unlessRefused(result, entered.refused));
  }
}

async function enter(
  { store, signer }: ArchiverDependencies & { readonly signer: LogSigner },
  leaves: readonly LogLeaf[],
  last: string | undefined,
) {
  if (leaves.length === 0) return { signed: last, refused: [] };
  const { appended, conflicting, signed } = await appendToLog(store, signer, leaves, { signed: last });
  if (appended > 0) await updateIndex(store);
  return { signed, refused: conflicting };
}

/** An archive without a leaf of its own is none. */
function unlessRefused(result: JobResult, refused: readonly AnyLeaf[]): JobResult {
  const leaf = 'leaf' in result && refused.find(({ folder }) => folder === result.leaf.folder);
  if (!leaf) return result;
  const why = `its archive is not in the log: ${placeKeyOf(leaf)} says that another one is; see \`signalbox audit verify\``;
  return { job: result.job, is: 'failed', why };
}

/** The report of jobs that could not be archived, which each heartbeat has. */
const MOST_LISTED = 50;
const WHY_LENGTH = 300;

export const failuresOf = (results: Iterable<JobResult>): ArchiveFailure[] =>
  [...results]
    .flatMap((one) => (one.is === 'failed' ? [failureOf(one.job, shorten(one.why, WHY_LENGTH))] : []))
    .slice(0, MOST_LISTED);

export const failureOf = ({ workflowId, runId }: ClosedJob, why: string): ArchiveFailure => ({
  ...{ workflowId, runId, why },
});
