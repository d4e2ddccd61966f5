import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Begun } from '../activities/first-effects.ts';
import { INVALID_MANIFEST, JOB_FAILED, MEMO } from '../contracts/messages.ts';
import { DEFAULT_POLICY } from '../contracts/policy.ts';
import type { PassingRefusal } from '../contracts/refusals.ts';
import type { Cause, JobOutcome, JobStatus } from '../contracts/status.ts';
import { scopeOf } from '../machines/attempt/effects.ts';
import { positionOf } from '../machines/chart/position.ts';
import { statusOf } from '../machines/job-status.ts';
import { policyRule } from '../machines/model/policy.ts';
import { timeOf } from '../machines/model/time.ts';
import { accepts, begin, type JobState, step } from '../machines/step.ts';
import { admit, admitStopped } from './activity-options.ts';
import { acceptAmendments } from './amendments.ts';
import { admitWhenNameIsFree } from './await-name.ts';
import { outcomeBeforeAdmission, statusBeforeAdmission } from './before-admission.ts';
import { wasCancelled } from './cancellation.ts';
import { continueInNewRun, type RestoredRun, type RunState, restoreRun, stepOf } from './continue-as-new.ts';
import { causeOfFailure, createEffectRunner } from './effect-runner.ts';
import { createHistoryLimit } from './history-limit.ts';
import { type Inbox, openInbox } from './inbox.ts';
import type { JobView } from './interventions.ts';
import { answerSource } from './job-source.ts';
import { createPublisher, NEWLY_RECORDED } from './publisher.ts';
import { retryWhileRefused } from './refusals.ts';
import { updateSearchAttributes } from './search-attributes.ts';
import { createDurableTimers } from './timers.ts';
import { createWatcherQuestions, needsFreshDigest } from './watcher-questions.ts';

/**
 * Runs one training job from its manifest to its outcome. Receives events (inbox), decides (machines), and runs
 * effects. Returns the outcome, or fails with it.
 */
export async function trainingJob(manifest: unknown, carried?: RunState): Promise<JobOutcome> {
  const resumed = carried && restoreRun(carried);
  // Updates at the start of a new run are answered from the restored state.
  let view: JobView = resumed ? viewOf(resumed.job) : { status: statusBeforeAdmission(manifest) };
  let terms = carried?.terms;
  const inbox = openInbox(() => view, carried?.events);
  answerSource({ ...inbox, manifest, view: () => view, terms: () => terms });
  acceptAmendments({ ...inbox, view: () => view, terms: () => terms! });
  return CancellationScope.nonCancellable(async () => {
    const announce = (status: JobStatus) => {
      updateSearchAttributes(status, view.status);
      view = { status };
    };
    // Makes the job searchable from now on, however it was started, and even if its admission fails.
    if (!resumed) updateSearchAttributes(view.status);
    const admission = resumed ? undefined : await admitted(manifest, inbox, announce);
    const begun = resumed ?? (admission && begunBy(admission));
    if (!begun) return conclude(stoppedBeforeAdmission(manifest, inbox));
    terms = begun.terms;
    const outcome = await run({ manifest, begun, inbox, publishedStatus: view.status }, (current) => {
      view = current;
    });
    await condition(allHandlersFinished);
    return conclude(outcome);
  });
}

const viewOf = (job: JobState): JobView => ({
  status: statusOf(job),
  position: positionOf(job.snapshot),
  accepts: (event) => accepts(job, event),
});

const withWarnings = ({ status, ...others }: JobView, warnings: readonly string[]): JobView =>
  warnings.length === 0
    ? { ...others, status }
    : { ...others, status: { ...status, warnings: [...status.warnings, ...warnings] } };

/** Returns undefined if the job was stopped first, and has nothing: an unresponsive cluster must not block that. */
async function admitted(
  manifest: unknown,
  inbox: Inbox,
  announce: (status: JobStatus) => void,
): Promise<Begun | undefined> {
  const { workflowId, firstExecutionRunId, historyLength } = workflowInfo();
  const request = { workflowId, firstRunId: firstExecutionRunId };
  const scope = new CancellationScope({ cancellable: true });
  void condition(inbox.isStopped).then(() => scope.cancel());
  try {
    const refused = waitingForAdmission(statusBeforeAdmission(manifest), announce);
    const tried = (waitedMs: number) => retryWhileRefused(() => admit({ ...request, waitedMs }), { refused });
    const report = (cause: Cause) => announce({ ...statusBeforeAdmission(manifest), cause });
    return await scope.run(() => admitWhenNameIsFree(tried, report));
  } catch (error) {
    // Within one workflow task, the activity is cancelled before Temporal knows it.
    const isBegun = error instanceof ActivityFailure && workflowInfo().historyLength > historyLength;
    if (wasCancelled(error)) return isBegun ? leftBehind(request) : undefined;
    const cause = causeOfFailure(error);
    const outcome = outcomeBeforeAdmission(manifest, 'Failed', cause);
    updateSearchAttributes(outcome, statusBeforeAdmission(manifest));
    if (cause.reason !== 'InvalidManifest') throw failure(outcome);
    const [faults] = (error as { cause?: ApplicationFailure }).cause?.details ?? [];
    throw ApplicationFailure.nonRetryable(cause.message, INVALID_MANIFEST, faults, outcome);
  }
}

/**
 * Admits a job that was stopped during its admission, so that it is cleaned up: the worker may have died when it had
 * created pods. Returns undefined if that is not possible soon; then the watcher has them swept.
 */
const leftBehind = (request: Parameters<typeof admitStopped>[0]): Promise<Begun | undefined> =>
  admitStopped({ ...request, isStopped: true }).then(
    (admission) => ('waitsFor' in admission ? undefined : admission),
    () => undefined,
  );

/** Reports what the job waits for before it has an anchor. Gives up at the policy's limit. */
function waitingForAdmission(status: JobStatus, announce: (status: JobStatus) => void) {
  let since: number | undefined;
  let { timeline } = status;
  let reportedReason: string | undefined;
  return ({ reason, message, isLimited, limitMs }: PassingRefusal): void => {
    since = isLimited ? (since ?? Date.now()) : undefined;
    const { failAfterMs } = DEFAULT_POLICY.refusals;
    const until = since === undefined ? undefined : since + (limitMs ?? failAfterMs);
    if (until !== undefined && Date.now() >= until)
      throw refusedTooLong(`${reason}: ${message}`, until - since!);
    const limit = until === undefined ? '' : ` until ${timeOf(until)}`;
    const sentence = `${message}; retrying${limit}`;
    if (reportedReason !== reason) {
      const { phase, state, attempt } = status;
      timeline = [
        ...timeline,
        { at: timeOf(Date.now()), phase, state, attempt, cause: `${reason}: ${message}` },
      ];
    }
    reportedReason = reason;
    announce({ ...status, cause: { reason, message: sentence }, timeline });
  };
}

function refusedTooLong(said: string, limitMs: number): ApplicationFailure {
  const rule = policyRule('refusals.failAfter', `${limitMs / 1000}s`);
  return ApplicationFailure.nonRetryable(`refused for too long; ${said}; ${rule}`, 'ClusterRefused');
}

/** The sweep removes what the activity may have claimed by then. */
function stoppedBeforeAdmission(manifest: unknown, inbox: Inbox): JobOutcome {
  const cause = inbox.takeAll().find((event) => event.type === 'stop')?.cause;
  const outcome = outcomeBeforeAdmission(manifest, 'Stopped', cause);
  updateSearchAttributes(outcome, statusBeforeAdmission(manifest));
  return outcome;
}

interface Run {
  readonly manifest: unknown;
  readonly begun: RestoredRun;
  readonly inbox: Inbox;
  /** The status published so far. */
  readonly publishedStatus: JobStatus;
}

async function run(
  { manifest, begun, inbox, publishedStatus }: Run,
  announce: (view: JobView) => void,
): Promise<JobOutcome> {
  const { terms } = begun;
  const { anchorUid, clusterId } = terms;
  const { namespace, name, runPolicy } = begun.job.snapshot.context.plan;
  let view: JobView | undefined;
  const report = () => view && announce(withWarnings(view, questions.warnings()));
  const questions = createWatcherQuestions(
    { namespace, name, anchorUid, clusterId },
    { answered: inbox.answered, changed: report },
  );
  const timers = createDurableTimers(inbox.push, async (timer) => {
    if (needsFreshDigest(timer)) await questions.confirm();
  });
  const published = { status: publishedStatus, recorded: begun.recorded };
  const ttlSeconds = runPolicy.ttlSecondsAfterFinished;
  const publisher = createPublisher({ anchorUid, clusterId, ttlSeconds }, published);
  const effectRunner = createEffectRunner(terms, inbox.push, {
    request: () => publisher.handOver(expectedEnd(job), { cleanUp: scopeOf(job.snapshot.context) }),
    written: publisher.handedOver,
  });
  const history = createHistoryLimit();
  // Only the cancelled run itself can end as cancelled.
  const isTimeForNewRun = () =>
    history.shouldContinueAsNew({ isBusy: !effectRunner.isIdle() || !publisher.isIdle() }) &&
    allHandlersFinished() &&
    !inbox.isCancelled();

  let { job, effects } = stepOf(begun);
  for (;;) {
    for (const effect of effects) effectRunner.run(effect, job.snapshot.context);
    view = viewOf(job);
    timers.set(job.deadlines);
    report();
    const { context } = job.snapshot;
    publisher.publish(view.status, { cleanUp: scopeOf(context), digestHash: context.digest?.hash });
    if (job.snapshot.status === 'done') break;
    await condition(() => !inbox.isEmpty() || isTimeForNewRun());
    if (inbox.isEmpty()) {
      const [unfinished, recorded] = await Promise.all([effectRunner.interrupt(), publisher.interrupt()]);
      await condition(allHandlersFinished);
      if (!inbox.isCancelled()) {
        await continueInNewRun(manifest, { terms, job, unfinished, recorded, events: inbox.takeAll() });
      }
      effects = unfinished;
    } else {
      ({ job, effects } = step(job, inbox.take()!));
    }
  }
  await publisher.settled();
  return viewOf(job).status as JobOutcome;
}

/** Returns the status that the job has if its clean-up ends now, with nothing to tell. */
const expectedEnd = (job: JobState): JobStatus =>
  viewOf(step(job, { type: 'effectDone', effect: 'cleanUp', resourceVersion: 0, at: Date.now() }).job).status;

/** Records the anchor for the watcher and the client, and starts the machine with what admission has done already. */
function begunBy({ plan, revision, done, ...terms }: Begun): RestoredRun {
  const { anchorUid, clusterId, gang, queued } = terms;
  upsertMemo({ [MEMO.anchorUid]: anchorUid, ...(clusterId ? { [MEMO.clusterId]: clusterId } : {}) });
  const at = Date.now();
  let { job, effects } = begin({ plan, revision, anchorUid, gang, queued }, at);
  for (const { effect, result } of done) {
    // The worker of the activity may have had another version of the machine. What this one decides is idempotent.
    if (!isSame([effect], effects)) break;
    ({ job, effects } = step(job, { type: 'effectDone', effect: effect.type, ...result, at }));
  }
  return { terms, job, unfinished: effects, recorded: NEWLY_RECORDED };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function conclude(outcome: JobOutcome): JobOutcome {
  if (outcome.phase === 'Failed') throw failure(outcome);
  if (outcome.cause?.reason === 'Cancelled')
    throw new CancelledFailure('the job was cancelled and cleaned up');
  return outcome;
}

function failure(outcome: JobOutcome): ApplicationFailure {
  const { reason, message } = outcome.cause ?? { reason: 'EngineFault', message: 'no cause was recorded' };
  return ApplicationFailure.nonRetryable(`${reason}: ${message}`, JOB_FAILED, outcome);
}
