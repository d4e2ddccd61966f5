import type { DataConverter } from '@temporalio/common';
import {
  DefaultLogger,
  type ReplayWorkerOptions,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { LEDGER_REPLAY } from '../../contracts/replay.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { errorMessage } from '../../language/error-message.ts';
import { findBundle } from '../bundle.ts';
import { processedPart, type ReplayableRun } from './replayable-run.ts';
import { collectSteps, type ReplayedStep } from './step-collector.ts';

/** The recorded runs of one job's workflow, the oldest first. */
export interface JobHistories {
  readonly workflowId: string;
  /** Decoded, or as protobuf JSON: `handle.fetchHistory()`, `temporal workflow show -o json`, a file of an archive. */
  readonly runs: Iterable<ReplayableRun> | AsyncIterable<ReplayableRun>;
}

/** What the job's own code says of its histories. */
export interface ReplayedJob {
  readonly workflowId: string;
  /** The ledger, over all runs. It ends early if a history does not replay. */
  readonly entries: readonly LedgerEntry[];
  /** The machine's events and decisions, over all runs. */
  readonly steps: readonly ReplayedStep[];
  /** Why a history does not replay; the first one of the job. */
  readonly error?: Error;
}

export interface ReplayOptions {
  /** Needed to read histories that were written with one. */
  readonly dataConverter?: DataConverter;
  /** The workflows, if not those of this version. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** Leaves out the steps: those of a long job need much memory. */
  readonly entriesOnly?: boolean;
}

/** Runs recorded histories through the workflows of this version, one job at a time. Needs no server. */
export interface Replayer {
  /** A history that does not replay is an error of its job alone. */
  replay(job: JobHistories): Promise<ReplayedJob>;
  close(): Promise<void>;
}

export async function openReplayer({
  dataConverter,
  workflowBundle,
  entriesOnly = false,
}: ReplayOptions): Promise<Replayer> {
  const collector = collectSteps({ entriesOnly });
  const runs = replayerOfRuns({
    replayName: LEDGER_REPLAY,
    workflowBundle: workflowBundle ?? (await findBundle(dataConverter, QUIET)),
    sinks: collector.sinks,
    dataConverter,
  });
  return {
    replay: async ({ workflowId, runs: histories }) => {
      let error: Error | undefined;
      for await (const run of histories) error ??= await runs.replay(workflowId, run);
      return { workflowId, ...collector.take(), ...(error ? { error } : {}) };
    },
    close: runs.close,
  };
}

interface ReplayerOfRuns {
  /** Returns why the history does not replay. */
  replay(workflowId: string, history: ReplayableRun): Promise<Error | undefined>;
  close(): Promise<void>;
}

/** One worker for all histories: it takes about 0.1 s of processor time to start. */
function replayerOfRuns(options: ReplayWorkerOptions): ReplayerOfRuns {
  let next: HistoryOfRun | undefined;
  let results: Results | undefined;
  let isCreated = Promise.withResolvers<void>();
  /** The worker asks for a history only when its result is asked for. */
  async function* histories() {
    isCreated.resolve();
    removeHooks();
    for (; next; ) {
      const given = next;
      next = undefined;
      yield given;
    }
  }
  const start = (): Promise<Result> =>
    inTurn(async () => {
      // A runtime ends with its last worker. Without one it would keep the process alive.
      keepQuiet();
      isCreated = Promise.withResolvers();
      results = Worker.runReplayHistories(options, histories());
      const first = results.next();
      await Promise.race([isCreated.promise, first]);
      return { first };
    }).then(({ first }) => first);
  return {
    replay: async (workflowId, given) => {
      try {
        const history = processedPart(given);
        if (!history) return undefined;
        next = { workflowId, history };
        const result = await (results ? results.next() : start());
        return result.done ? new Error('the replay ended without a result') : result.value.error;
      } catch (error) {
        // Another history needs another worker.
        results = undefined;
        return error instanceof Error ? error : new Error(errorMessage(error));
      }
    },
    close: () =>
      inTurn(async () => {
        await results?.return?.();
      }),
  };
}

type Results = AsyncIterator<{ readonly error?: Error }, unknown>;
type Result = Awaited<ReturnType<Results['next']>>;

let last: Promise<unknown> = Promise.resolve();

/**
 * One at a time in the process: the runtime that a worker is about to be made with must not end meanwhile with the worker of
 * another replay.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
}

interface HistoryOfRun {
  readonly workflowId: string;
  readonly history: NonNullable<ReturnType<typeof processedPart>>;
}

/**
 * A replay runs workflows in this thread. For it the SDK hooks into every promise of the thread, to show where a workflow
 * waits, and never removes that: whatever else the process does would cost more from the first replay on.
 */
const removeHooks = (): void => globalHandlers.uninstall();

const QUIET = new DefaultLogger('ERROR', () => undefined);

/** The SDK reports histories that do not replay as failed tasks, too. A process that has a worker has its log already. */
function keepQuiet(): void {
  try {
    Runtime.install({
      logger: QUIET,
      telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    });
  } catch {
    // It is installed.
  }
}
