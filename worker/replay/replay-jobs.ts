import type { DataConverter } from '@temporalio/common';
import {
  DefaultLogger,
  type ReplayWorkerOptions,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { errorMessage } from '../../contracts/error-message.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import { LEDGER_REPLAY } from '../../contracts/replay.ts';
import { findBundle } from '../bundle.ts';
import { processedPart, type ReplayableRun } from './replayable-run.ts';
import { collectSteps, type ReplayedStep, type StepCollector } from './step-collector.ts';

/** The recorded runs of one job's workflow, the oldest first. */
export interface JobHistories {
  readonly workflowId: string;
  /** Decoded, or as protobuf JSON: `handle.fetchHistory()`, `temporal workflow show -o json`, a file of an archive. */
  readonly runs: readonly ReplayableRun[];
}

/** What the job's own code says of its histories. */
export interface ReplayedJob {
  readonly workflowId: string;
  /** The ledger, over all runs. It ends early if a history does not replay. */
  readonly entries: readonly LedgerEntry[];
  /** What the machine heard and decided, over all runs. */
  readonly steps: readonly ReplayedStep[];
  /** Why a history does not replay; the first one of the job. */
  readonly error?: Error;
}

export interface ReplayOptions {
  /** Needed to read histories that were written with one. */
  readonly dataConverter?: DataConverter;
  /** The workflows, if not those of this version. */
  readonly workflowBundle?: WorkflowBundleOption;
}

/**
 * Runs recorded histories through the workflows of this version. Needs no server. Yields each job as soon as it is
 * replayed, in the order given; a history that does not replay is an error of its job alone.
 */
export async function* replayJobs(
  jobs: Iterable<JobHistories> | AsyncIterable<JobHistories>,
  { dataConverter, workflowBundle }: ReplayOptions = {},
): AsyncGenerator<ReplayedJob, void, undefined> {
  keepQuiet();
  const collector = collectSteps();
  const replayer = createReplayer({
    replayName: LEDGER_REPLAY,
    workflowBundle: workflowBundle ?? (await findBundle(dataConverter, QUIET)),
    sinks: collector.sinks,
    dataConverter,
  });
  try {
    for await (const job of jobs) yield await replayJob(job, { replayer, collector });
  } finally {
    await replayer.close();
  }
}

interface Replaying {
  readonly replayer: Replayer;
  readonly collector: StepCollector;
}

async function replayJob(
  { workflowId, runs }: JobHistories,
  { replayer, collector }: Replaying,
): Promise<ReplayedJob> {
  let error: Error | undefined;
  for (const run of runs) error ??= await replayer.replay(workflowId, run);
  return { workflowId, ...collector.take(), ...(error ? { error } : {}) };
}

interface Replayer {
  /** Returns why the history does not replay. */
  replay(workflowId: string, history: ReplayableRun): Promise<Error | undefined>;
  close(): Promise<void>;
}

/** One worker for all histories: it takes half a second to start. */
function createReplayer(options: ReplayWorkerOptions): Replayer {
  let next: HistoryOfRun | undefined;
  let results: AsyncIterator<{ readonly error?: Error }, unknown> | undefined;
  /** The worker asks for a history only when its result is asked for. */
  async function* histories() {
    for (; next; ) {
      const given = next;
      next = undefined;
      yield given;
    }
  }
  return {
    replay: async (workflowId, given) => {
      try {
        const history = processedPart(given);
        if (!history) return undefined;
        next = { workflowId, history };
        results ??= Worker.runReplayHistories(options, histories());
        const result = await results.next();
        return result.done ? new Error('the replay ended without a result') : result.value.error;
      } catch (error) {
        // Another history needs another worker.
        results = undefined;
        return error instanceof Error ? error : new Error(errorMessage(error));
      }
    },
    close: async () => {
      await results?.return?.();
    },
  };
}

interface HistoryOfRun {
  readonly workflowId: string;
  readonly history: NonNullable<ReturnType<typeof processedPart>>;
}

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
