import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { BackOff } from '../../../language/back-off.ts';
import { wholeLedger } from '../../../record/ledger/whole-ledger.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { isAboutMissingRun } from '../../../temporal/missing-run.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { type RunHistory, readRunChain } from '../../../temporal/run-chain.ts';
import { WorkerAwayError } from '../../errors/errors.ts';
import { pauseUnlessAborted } from '../../servers/abort.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { closedRunOf, type FollowOptions, type Run, runBefore, stepsOf } from '../../servers/follow-runs.ts';
import { RefusedQueryError } from '../../servers/query-job.ts';
import { answeredOrReplayed } from './answered-or-replayed.ts';
import { isChosen, type LedgerChoice } from './ledger-choice.ts';
import { type Calling, LedgerReader } from './ledger-reader.ts';

/**
 * Which entries of a job's ledger, and how long to wait for them.
 *
 * @public
 */
export interface HistoryOptions extends LedgerChoice, CallOptions {
  /**
   * Derives the entries from the histories, if no worker answers soon; while a job is followed, only if no worker will ever
   * be asked.
   *
   * @internal
   */
  readonly replay?: LedgerReplay;
}

/**
 * Derives the entries of a ledger from the histories of a job's runs, as a worker would. `why`: no worker can answer; if
 * absent, none has done so yet.
 */
export type LedgerReplay = (
  job: {
    readonly workflowId: string;
    /** The oldest first. */
    readonly runs: readonly RunHistory[];
  },
  why?: WorkerAwayError,
) => Promise<readonly LedgerEntry[]>;

/**
 * Which entries of a job's ledger, and how to wait for more of them.
 *
 * @public
 */
export interface FollowHistoryOptions extends LedgerChoice, FollowOptions {
  /**
   * As of {@link HistoryOptions}.
   *
   * @internal
   */
  readonly replay?: LedgerReplay;
}

/** A chain of runs: the description of its last one at the time of the call, and how Temporal is called. */
export interface AskedChain {
  readonly client: Client;
  readonly described: WorkflowExecutionDescription;
  readonly call: Calling;
}

/** Yields the entries of all runs that Temporal still has, the oldest first, as far as they are written now. */
export async function* readLedger(
  chain: AskedChain,
  { replay, ...choice }: LedgerChoice & Pick<HistoryOptions, 'replay'>,
): AsyncGenerator<LedgerEntry> {
  const asking = new AbortController();
  const { client, described, call } = chain;
  const reader = new LedgerReader(client, described.workflowId, { call, signal: asking.signal });
  const answered = presentEntries(chain, reader, (runId) => reader.entriesOf(runId));
  const entries = replay
    ? answeredOrReplayed({
        answered,
        replay: (why) => replayedEntries(chain, described, (job) => replay(job, why)),
        stopAsking: () => asking.abort(),
      })
    : answered;
  yield* chosen(entries, choice);
}

async function replayedEntries(
  { client, call }: Pick<AskedChain, 'client' | 'call'>,
  { workflowId, runId }: Run,
  replay: LedgerReplay,
): Promise<LedgerEntry[]> {
  const { runs } = await call(() => readRunChain(client, { workflowId, runId }));
  const histories = runs.map(({ history }) => history);
  return wholeLedger(client, await replay({ workflowId, runs: histories }), histories);
}

/**
 * Yields the entries, and then each new one until the workflow has closed. Continues through restarts of servers and
 * workers: a Temporal server that was just restarted knows no worker until they ask for tasks again.
 */
export async function* followLedger(
  chain: AskedChain,
  { replay, ...choice }: LedgerChoice & Pick<HistoryOptions, 'replay'>,
  options: FollowOptions,
): AsyncGenerator<LedgerEntry> {
  const { client, described, call } = chain;
  if (!isOpen(described.status.name)) return yield* readLedger(chain, { ...choice, replay });
  const reader = new LedgerReader(client, described.workflowId, { call });
  const followed = followedEntries(chain, reader, options);
  yield* chosen(replay ? replayedIfRefused(chain, followed, { ...options, replay }) : followed, choice);
}

/** Yields the rest from the histories if Temporal asks no worker about a closed run. */
async function* replayedIfRefused(
  chain: AskedChain,
  followed: AsyncGenerator<LedgerEntry>,
  { replay, ...options }: FollowOptions & { readonly replay: LedgerReplay },
): AsyncGenerator<LedgerEntry> {
  let last = 0;
  try {
    for await (const entry of followed) {
      last = entry.seq;
      yield entry;
    }
  } catch (error) {
    if (!(error instanceof RefusedQueryError)) throw error;
    const { client, described, call } = chain;
    const { workflowId, runId } = described;
    const closed = await closedRunOf(client, { workflowId, runId }, options);
    const replayed = await replayedEntries({ client, call }, closed, (job) => replay(job, error));
    yield* replayed.filter(({ seq }) => seq > last);
  }
}

/** Yields the entries of a run that have not been read yet. */
type EntriesOf = (runId: string) => AsyncGenerator<LedgerEntry>;

async function* presentEntries(
  chain: AskedChain,
  reader: LedgerReader,
  entriesOf: EntriesOf,
): AsyncGenerator<LedgerEntry> {
  const { runId: last, status } = chain.described;
  for (const { runId } of await runsOf(chain)) yield* entriesOf(runId);
  if (!isOpen(status.name)) yield* reader.closingOf(last);
}

async function* followedEntries(
  chain: AskedChain,
  reader: LedgerReader,
  options: FollowOptions,
): AsyncGenerator<LedgerEntry> {
  const { client, described, call } = chain;
  const { workflowId } = described;
  const isClosed = async (runId: string) => {
    const run = await call(() => findWorkflow(client, workflowId, runId));
    return run !== undefined && !isOpen(run.status.name);
  };
  const entriesOf: EntriesOf = (runId) =>
    patiently(
      () => reader.entriesOf(runId),
      () => isClosed(runId),
      options,
    );
  yield* presentEntries(chain, reader, entriesOf);
  let last: Run = { workflowId, runId: described.runId };
  for await (const run of stepsOf(client, last, options)) {
    last = run;
    yield* entriesOf(run.runId);
  }
  const { runId } = await closedRunOf(client, last, options);
  yield* entriesOf(runId);
  yield* reader.closingOf(runId);
}

/**
 * Waits for the next worker; each entry is yielded once, as the reader knows which ones it has read. About a closed run that
 * Temporal refuses to ask a worker about, it never will.
 */
async function* patiently(
  read: () => AsyncGenerator<LedgerEntry>,
  isClosed: () => Promise<boolean>,
  { signal, onInterrupted }: FollowOptions,
): AsyncGenerator<LedgerEntry> {
  const backOff = new BackOff({ firstMs: 200, mostMs: 5_000 });
  for (;;) {
    try {
      return yield* read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof WorkerAwayError)) throw error;
      if (error instanceof RefusedQueryError && (await isClosed())) throw error;
      onInterrupted?.(error);
      await pauseUnlessAborted(backOff.next(), signal);
    }
  }
}

/**
 * The runs that Temporal still has, the oldest first. Found from the last one back: a reset replaces the end of a chain, and
 * retention may delete its first runs before the others.
 */
async function runsOf({ client, described, call }: AskedChain): Promise<Run[]> {
  const { workflowId, runId } = described;
  if (firstRunIdOf(described) === runId) return [{ workflowId, runId }];
  const runs: Run[] = [];
  for (let run: Run | undefined = { workflowId, runId }; run; ) {
    const present: Run = run;
    const before = await call(() => runBefore(client, present)).catch(unlessDeleted);
    if (before !== 'deleted') runs.unshift(present);
    run = before === 'deleted' ? undefined : before;
  }
  return runs;
}

function unlessDeleted(error: unknown): 'deleted' {
  if (!isAboutMissingRun(error)) throw error;
  return 'deleted';
}

async function* chosen(
  entries: AsyncGenerator<LedgerEntry>,
  choice: LedgerChoice,
): AsyncGenerator<LedgerEntry> {
  let left = choice.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const entry of entries) {
    if (!isChosen(entry, choice)) continue;
    yield entry;
    left -= 1;
    if (left <= 0) return;
  }
}
