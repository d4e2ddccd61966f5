import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { LEDGER_QUERY, type LedgerPage } from '../../contracts/ledger.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { readRunChain } from '../../temporal/run-chain.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';

type RecordedRun = Awaited<ReturnType<typeof readRunChain>>['runs'][number];

/** The ledger of an ended job, from every source but the archive. */
export interface LedgerSources {
  readonly runs: readonly string[];
  readonly queried: readonly LedgerEntry[];
  readonly replayed: readonly LedgerEntry[];
  /** Why its histories do not replay. */
  readonly error?: Error;
}

/** `workflowIds`: by the name of the job. */
export async function readLedgers(
  temporal: Client,
  workflowIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, LedgerSources>> {
  const chains: Chain[] = [];
  await inParallel([...workflowIds], AT_ONCE, async ([name, workflowId]) => {
    const { runs } = await readRunChain(temporal, { workflowId });
    const queried: LedgerEntry[] = [];
    for (const { runId } of runs) queried.push(...(await queryLedger(temporal, { workflowId, runId }, PAGE)));
    chains.push({ name, workflowId, runs, queried });
  });
  const recorded = chains.map(({ workflowId, runs }) => ({
    workflowId,
    runs: runs.map(({ history }) => history),
  }));
  const found = new Map<string, LedgerSources>();
  for await (const { entries, error } of replayJobs(recorded)) {
    const { name, runs, queried } = chains[found.size]!;
    const runIds = runs.map(({ runId }) => runId);
    found.set(name, { runs: runIds, queried, replayed: entries, ...(error ? { error } : {}) });
  }
  return found;
}

interface Chain {
  readonly name: string;
  readonly workflowId: string;
  readonly runs: readonly RecordedRun[];
  readonly queried: readonly LedgerEntry[];
}

/** A query of an ended job replays it: with all jobs at once, a busy worker answers some too late. */
export const AT_ONCE = { limit: 6, signal: new AbortController().signal };

/** Few, so that jobs have several pages. */
const PAGE = 4;

interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

async function queryLedger(
  temporal: Client,
  { workflowId, runId }: Run,
  limit?: number,
): Promise<LedgerEntry[]> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  const entries: LedgerEntry[] = [];
  for (let from: number | undefined = 1; from !== undefined; ) {
    const page: LedgerPage = await handle.query<LedgerPage, [object]>(LEDGER_QUERY, { from, limit });
    entries.push(...page.entries);
    from = page.next;
  }
  return entries;
}

/** Ledgers as the worker that runs the jobs has them in memory. */
export interface LiveLedgers {
  /** The last that was seen of a run. */
  of(runId: string): readonly LedgerEntry[];
  stop(): Promise<void>;
}

/** Asks live jobs for their ledgers, over and over. */
export function watchLedgers(temporal: Client): LiveLedgers {
  const seen = new Map<string, readonly LedgerEntry[]>();
  const stopped = new AbortController();
  async function ask(run: Run): Promise<void> {
    // It may have ended meanwhile.
    const entries = await queryLedger(temporal, run).catch(() => undefined);
    if (entries) seen.set(run.runId, entries);
  }
  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      const query = 'WorkflowType = "trainingJob" AND ExecutionStatus = "Running"';
      const asked: Promise<void>[] = [];
      // All at once: on a busy machine, a job would have ended before its turn.
      for await (const job of temporal.workflow.list({ query })) asked.push(ask(job));
      await Promise.all(asked);
      await delay(PAUSE_MS);
    }
  }
  const looking = look();
  return {
    of: (runId) => seen.get(runId) ?? [],
    stop: () => {
      stopped.abort();
      return looking;
    },
  };
}

/** Each look is work for the worker that runs the jobs. */
const PAUSE_MS = 500;
