import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { passedOn } from '../contracts/carried-state.ts';
import { ASKED_SIGNAL, MEMO, UPDATES } from '../contracts/messages.ts';
import {
  type ParameterSweep,
  type PlannedSweep,
  SWEEP_QUERY,
  type SweepActivities,
  type SweepProgress,
  type SweepStop,
  type SweepSummary,
  trialsText,
} from '../contracts/parameter-sweep.ts';
import { HEARTBEAT } from '../contracts/timing.ts';
import { withoutUndefined } from '../language/fields.ts';
import { withoutStack } from './job-failures.ts';
import { refuseRepeatedStart } from './repeated-start.ts';
import { findSubmitter } from './submitter.ts';

/** Retried without limit: a trial is neither lost nor started twice while a server is away. */
const { planParameterSweep, advanceParameterSweep } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: HEARTBEAT.timeoutMs,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** The pause between two looks is a tenth of the time since the last change: trials that take a day are not asked each second. */
const PAUSE_MS = { share: 10, least: 500, most: 60_000 };

/** What a run passes to the next one. */
interface SweepState {
  readonly planned: PlannedSweep;
  readonly progress: SweepProgress;
  readonly submittedBy?: string;
  readonly stop?: SweepStop;
}

const NOTHING_YET: SweepProgress = {
  next: 0,
  running: [],
  ended: { Completed: 0, Failed: 0, Stopped: 0, Refused: 0 },
  failures: [],
};

/**
 * Runs a job for each combination of parameters, at most so many at once. Each round is a short activity, and the wait between
 * two is a timer: no worker slot is held for days.
 */
export async function parameterSweep(sweep: ParameterSweep, more?: unknown): Promise<SweepSummary> {
  refuseRepeatedStart();
  const { continuedFromExecutionRunId: continues, attempt, cronSchedule } = workflowInfo();
  const before = passedOn({ continues, attempt, cronSchedule }, more) as SweepState | undefined;
  let stop = before?.stop;
  let state: SweepState | undefined = before;
  setHandler(
    defineQuery<SweepSummary | undefined>(SWEEP_QUERY),
    () => state && summaryOf({ ...state, stop }),
  );
  setHandler(defineUpdate<void, [SweepStop?]>(UPDATES.stop), (request) => {
    stop ??= stopOf(request);
  });
  // Sent before each update, for the history.
  setHandler(defineSignal<[unknown]>(ASKED_SIGNAL), () => undefined);
  CancellationScope.current().cancelRequested.catch(() => {
    stop ??= { why: 'The workflow of the sweep was cancelled.' };
  });
  return CancellationScope.nonCancellable(async () => {
    const planned = before?.planned ?? (await plan());
    const submittedBy = before?.submittedBy ?? findSubmitter(planned.startedBy);
    let progress = before?.progress ?? NOTHING_YET;
    let changedAt = Date.now();
    const record = recorder();
    for (;;) {
      const isStopping = stop !== undefined;
      state = { planned, progress, submittedBy, stop };
      record(state);
      const next = await advanceParameterSweep({ progress, submittedBy, stop });
      if (isChanged(progress, next)) changedAt = Date.now();
      progress = next;
      if (sweep.stopOnFailure) stop ??= stopAfter(progress);
      state = { planned, progress, submittedBy, stop };
      const hasEnded = isOver(state);
      record(state, hasEnded);
      if (hasEnded) return summaryOf(state, true);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof parameterSweep>(sweep, state);
      if (canStart(state)) continue;
      await condition(() => (stop !== undefined) !== isStopping, pauseAfter(Date.now() - changedAt));
    }
  });
}

/** Fails as the activity does, with the faults. */
async function plan(): Promise<PlannedSweep> {
  try {
    return await planParameterSweep();
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : undefined;
    throw cause instanceof ApplicationFailure ? withoutStack(cause) : error;
  }
}

/** Returns what records how far the sweep is, for lists and for clients that ask while no worker answers. */
function recorder(): (state: SweepState, hasEnded?: boolean) => void {
  let last = '';
  return (state, hasEnded) => {
    const { failures, ...counts } = summaryOf(state, hasEnded);
    const text = JSON.stringify(counts);
    if (text === last) return;
    last = text;
    setCurrentDetails(trialsText(counts));
    upsertMemo({ [MEMO.sweep]: counts });
  };
}

const stopOf = (request: SweepStop | undefined): SweepStop => {
  const { by, why } = request ?? {};
  return withoutUndefined({ by, why });
};

/** Returns the stop that the first failure of a trial makes. */
function stopAfter({ failures }: SweepProgress): SweepStop | undefined {
  const failed = failures.find(({ phase }) => phase === 'Failed');
  return (
    failed && { trial: failed.name, why: `${failed.name} has failed, and the sweep stops on a failure.` }
  );
}

const isChanged = (before: SweepProgress, { next, running }: SweepProgress) =>
  before.next !== next || before.running.length !== running.length;

const pauseAfter = (quietMs: number) =>
  Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, Math.round(quietMs / PAUSE_MS.share)));

const isOver = ({ planned, progress, stop }: SweepState) =>
  progress.running.length === 0 && (stop !== undefined || progress.next >= planned.trials);

const canStart = ({ planned, progress, stop }: SweepState) =>
  !stop && progress.next < planned.trials && progress.running.length < planned.atMost;

function summaryOf({ planned, progress, stop }: SweepState, hasEnded = false): SweepSummary {
  const { name, namespace, trials, atMost } = planned;
  const { next, running, ended, failures } = progress;
  const last = stop && !stop.trial ? 'Stopped' : ended.Completed === trials ? 'Completed' : 'Failed';
  return {
    ...{ name, namespace, trials, atMost },
    phase: hasEnded ? last : stop ? 'Stopping' : 'Running',
    ...{ waiting: trials - next, running: running.length, completed: ended.Completed },
    ...{ failed: ended.Failed, stopped: ended.Stopped, refused: ended.Refused, failures },
    ...(stop ? { stop } : {}),
  };
}
