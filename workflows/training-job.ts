import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  setCurrentDetails,
  upsertMemo,
} from '@temporalio/workflow';
import type { Begun } from '../activities/first-effects.ts';
import { MEMO } from '../contracts/messages.ts';
import { scheduledManifest } from '../contracts/scheduled-job.ts';
import type { JobOutcome } from '../contracts/status.ts';
import { givesQuota } from '../contracts/training-job.ts';
import type { JobStatus } from '../contracts/types.ts';
import { scopeOf } from '../machines/attempt/effects.ts';
import { positionOf } from '../machines/chart/position.ts';
import { countEnded } from '../machines/gang/ended-pods.ts';
import { statusOf } from '../machines/job-status.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import type { StepCause } from '../machines/model/machine-step.ts';
import { runPolicyOf } from '../machines/model/policy.ts';
import { accepts, begin, type JobState, save, step } from '../machines/step.ts';
import { admitted, stoppedBeforeAdmission } from './admission.ts';
import { acceptAmendments } from './amendments.ts';
import type { MadeFrom } from './applied-manifest.ts';
import { acceptManifests } from './apply.ts';
import { statusBeforeAdmission } from './before-admission.ts';
import {
  carriedState,
  continueInNewRun,
  isRunState,
  type RestoredRun,
  restoreRun,
  stepOf,
} from './continue-as-new.ts';
import { describeJob } from './details.ts';
import { createEffectRunner } from './effect-runner.ts';
import { createHistoryLimit } from './history-limit.ts';
import { type Inbox, openInbox } from './inbox.ts';
import type { JobView } from './interventions.ts';
import { failedWith } from './job-failures.ts';
import { answerSource } from './job-source.ts';
import { recordLateRequests } from './late-requests.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { submittedEntry } from './ledger-before-admission.ts';
import { NEWLY_RECORDED } from './next-record.ts';
import { createPublisher } from './publisher.ts';
import { findScheduledStart } from './scheduled-start.ts';
import { createSearchAttributes, type SearchAttributes } from './search-attributes.ts';
import { settleSignal } from './signalled-requests.ts';
import { findSubmitter } from './submitter.ts';
import { createDurableTimers } from './timers.ts';
import { takeTurns } from './turns.ts';
import { createWatcherQuestions, needsFreshDigest } from './watcher-questions.ts';
import { withRemedy } from './with-remedy.ts';

/**
 * Runs one training job from its manifest to its outcome. Receives events (inbox), decides (machines), and runs
 * effects. Returns the outcome, or fails with it.
 */
export async function trainingJob(given: unknown, more?: unknown): Promise<JobOutcome> {
  // Admission refuses a second argument of any other client.
  const carried = carriedState(more);
  const earlier = carried && isRunState(carried) ? carried : undefined;
  // An earlier run passes on the name that it has given to the job.
  const scheduled = carried ? undefined : findScheduledStart();
  const manifest = scheduled ? scheduledManifest(given, scheduled.at) : given;
  const resumed = earlier && restoreRun(earlier);
  // Updates at the start of a new run are answered from the restored state.
  let view: JobView = resumed ? viewOf(resumed.job) : { status: statusBeforeAdmission(manifest) };
  let madeFrom: MadeFrom = {
    ...{ manifest, terms: earlier?.terms },
    ...(earlier?.appliedRevision === undefined ? {} : { appliedRevision: earlier.appliedRevision }),
  };
  const ledger = openLedger(carried?.ledger);
  const inbox = openInbox({ view: () => view, ledger }, carried?.events);
  const host = {
    ...{ ...inbox, ledger, inTurn: takeTurns(), view: () => view },
    ...{ madeFrom: () => madeFrom, terms: () => madeFrom.terms! },
    remake: (made: MadeFrom) => {
      madeFrom = made;
    },
  };
  answerSource(host);
  acceptAmendments(host);
  acceptManifests(host);
  if (resumed) ledger.stepped({ type: 'resume', saved: save(resumed.job) }, stepOf(resumed));
  else if (!carried) ledger.note(submittedEntry(view.status, manifest));
  return CancellationScope.nonCancellable(async () => {
    const search = createSearchAttributes(() => madeFrom.manifest, resumed && view.status);
    const show = (current: JobView) => {
      view = current;
      setCurrentDetails(describeJob(view));
    };
    const announce = (status: JobStatus) => {
      search.update(status);
      show({ status });
    };
    // Makes the job searchable from now on, however it was started, and even if its admission fails.
    if (!resumed) announce(view.status);
    const candidate = { manifest, scheduled, inbox, ledger, announce };
    const admission = resumed ? undefined : await admitted(candidate);
    const begun = resumed ?? (admission && begunBy(admission, ledger));
    if (!begun) return conclude(stoppedBeforeAdmission(candidate));
    madeFrom = { ...madeFrom, terms: begun.terms };
    const outcome = await run({ madeFrom: host.madeFrom, begun, inbox, ledger, search }, show);
    await condition(allHandlersFinished);
    recordLateRequests(ledger, inbox.takeAll(), view);
    return conclude(outcome);
  });
}

const viewOf = (job: JobState): JobView => ({
  status: withRemedy(statusOf(job)),
  position: positionOf(job.snapshot),
  accepts: (event) => accepts(job, event),
});

const withWarnings = ({ status, ...others }: JobView, warnings: readonly string[]): JobView =>
  warnings.length === 0
    ? { ...others, status }
    : { ...others, status: { ...status, warnings: [...status.warnings, ...warnings] } };

interface Run {
  readonly madeFrom: () => MadeFrom;
  readonly inbox: Inbox;
  readonly ledger: Ledger;
  readonly search: SearchAttributes;
  readonly begun: RestoredRun;
}

async function run(
  { madeFrom, begun, inbox, ledger, search }: Run,
  show: (view: JobView) => void,
): Promise<JobOutcome> {
  const { terms } = begun;
  const { anchorUid, clusterId } = terms;
  const { namespace, name } = begun.job.snapshot.context.plan;
  let view: JobView | undefined;
  /** The newest question whose answer the machine has taken: it ignores digests that are older than what it knows. */
  let answered = 0;
  const report = () =>
    view && show({ ...withWarnings(view, questions.warnings()), consoleUrl: terms.consoleUrl });
  const questions = createWatcherQuestions(
    { namespace, name, anchorUid, clusterId },
    { answered: () => answered, changed: report },
  );
  const timers = createDurableTimers(inbox.push, async (timer) => {
    if (needsFreshDigest(timer)) await questions.confirm();
  });
  const published = {
    ...{ search, recorded: begun.recorded, hasResource: terms.settings.resource !== undefined },
    ...(givesQuota(terms.gang) ? { notifies: terms.gang } : {}),
  };
  const ttlSeconds = () => runPolicyOf(job.snapshot.context).ttlSecondsAfterFinished;
  const publisher = createPublisher({ anchorUid, clusterId }, { ...published, ttlSeconds });
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
  let isUnrecorded = false;
  for (;;) {
    answered = Math.max(answered, job.snapshot.context.digest?.answers ?? 0);
    for (const effect of effects) effectRunner.run(effect, job.snapshot.context);
    view = viewOf(job);
    timers.set(job.deadlines);
    report();
    const { context } = job.snapshot;
    publisher.publish(view.status, {
      cleanUp: scopeOf(context),
      digestHash: context.digest?.hash,
      isUnrecorded,
      ended: countEnded(context),
    });
    if (job.snapshot.status === 'done') break;
    await condition(() => !inbox.isEmpty() || isTimeForNewRun());
    if (inbox.isEmpty()) {
      const [unfinished, recorded] = await Promise.all([effectRunner.interrupt(), publisher.interrupt()]);
      await condition(allHandlersFinished);
      if (!inbox.isCancelled()) {
        const events = inbox.takeAll();
        await continueInNewRun(madeFrom(), { job, unfinished, recorded, events, ledger: ledger.book() });
      }
      effects = unfinished;
    } else {
      const event = settleSignal(inbox.take()!, view);
      const next = step(job, event);
      ledger.stepped(causeOfStep(job, event), next);
      ({ job, effects } = next);
      isUnrecorded = event.type === 'digest' && event.digest.isUnrecorded === true;
    }
  }
  await publisher.settled();
  return viewOf(job).status as JobOutcome;
}

const causeOfStep = ({ snapshot }: JobState, event: JobEvent): StepCause => ({
  ...{ type: 'event', event, from: positionOf(snapshot).state },
});

/** Returns the status that the job has if its clean-up ends now, without a problem. */
const expectedEnd = (job: JobState): JobStatus =>
  viewOf(step(job, { type: 'effectDone', effect: 'cleanUp', resourceVersion: 0, at: Date.now() }).job).status;

/** Records the anchor for the watcher and the client, and starts the machine with what admission has done already. */
function begunBy(
  { plan, revision, done, startedBy, requester: _, countsStarts, ...terms }: Begun,
  ledger: Ledger,
): RestoredRun {
  const { anchorUid, clusterId, gang, gate } = terms;
  const submittedBy = findSubmitter(startedBy);
  upsertMemo({
    [MEMO.anchorUid]: anchorUid,
    ...(clusterId ? { [MEMO.clusterId]: clusterId } : {}),
    ...(submittedBy ? { [MEMO.submittedBy]: submittedBy } : {}),
  });
  const at = Date.now();
  const input = { plan, revision, anchorUid, gang, gate, at, ...(countsStarts ? { countsStarts } : {}) };
  let next = begin(input);
  ledger.stepped({ type: 'begin', input }, next);
  for (const { effect, result } of done) {
    // The worker of the activity may have had another version of the machine. What this one decides is idempotent.
    if (!isSame([effect], next.effects)) break;
    const { job } = next;
    const event = { type: 'effectDone', effect: effect.type, ...result, at } as const;
    next = step(job, event);
    ledger.stepped(causeOfStep(job, event), next);
  }
  return { terms, job: next.job, unfinished: next.effects, recorded: NEWLY_RECORDED };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function conclude(outcome: JobOutcome): JobOutcome {
  if (outcome.phase === 'Failed') throw failedWith(outcome);
  if (outcome.cause?.reason === 'Cancelled')
    throw new CancelledFailure('the job was cancelled and cleaned up');
  return outcome;
}
