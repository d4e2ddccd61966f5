import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  ParentClosePolicy,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Admission } from '../activities/admit.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import { EXPIRE_JOB, INVALID_MANIFEST, JOB_FAILED, MEMO } from '../contracts/messages.ts';
import type { JobOutcome, JobStatus } from '../contracts/status.ts';
import type { Effect, JobEvent } from '../machines/job-events.ts';
import { statusOf } from '../machines/job-status.ts';
import { begin, type Job, restore, type SavedJob, save, step } from '../machines/step.ts';
import { admit } from './activity-options.ts';
import { createAlarms } from './alarms.ts';
import { type Amendable, acceptAmendments } from './amendments.ts';
import type { expireJob } from './expire-job.ts';
import { createHistoryWatch } from './history-watch.ts';
import { type Inbox, openInbox } from './inbox.ts';
import type { Standing } from './interventions.ts';
import { causeOf, createPerformer } from './performer.ts';
import { createPublisher } from './publisher.ts';

/** What a run hands to the next one when its history has grown long. */
export interface Carried {
  readonly admission: Admission;
  readonly job: SavedJob;
  /** What was under way, to be done again, and what was heard meanwhile. */
  readonly unfinished?: readonly Effect[];
  readonly events?: readonly JobEvent[];
}

/**
 * One training job, from its manifest to its outcome. It hears (inbox), decides (machines), and performs; it ends by
 * returning the outcome, or by failing with it.
 */
export async function trainingJob(manifest: unknown, carried?: Carried): Promise<JobOutcome> {
  let standing: Standing = { status: beforeAdmission(manifest) };
  let amendable: Amendable | undefined;
  const inbox = openInbox(() => standing);
  acceptAmendments({ manifest, standing: () => standing, push: inbox.push, of: () => amendable! });
  return CancellationScope.nonCancellable(async () => {
    const admission = carried?.admission ?? (await admitted(manifest, inbox));
    if (!admission) return conclude(stoppedBeforeAdmission(manifest, inbox));
    amendable = { admission };
    const outcome = await run({ manifest, amendable, inbox, carried }, (current) => {
      standing = current;
    });
    await condition(allHandlersFinished);
    await expireLater(outcome, amendable.admission);
    return conclude(outcome);
  });
}

/** Undefined if the job was stopped first: a cluster that does not answer must not hold on to it. */
async function admitted(manifest: unknown, inbox: Inbox): Promise<Admission | undefined> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const scope = new CancellationScope({ cancellable: true });
  void condition(inbox.isStopped).then(() => scope.cancel());
  try {
    return await scope.run(() => admit({ manifest, workflowId, firstRunId: firstExecutionRunId }));
  } catch (error) {
    if (isCancellation(error)) return undefined;
    const { reason, message } = causeOf(error);
    const cause = (error as { cause?: ApplicationFailure }).cause;
    if (reason === 'InvalidManifest') {
      throw ApplicationFailure.nonRetryable(message, INVALID_MANIFEST, ...(cause?.details ?? []));
    }
    const status = beforeAdmission(manifest);
    throw failure({ ...status, phase: 'Failed', state: 'Failed', cause: { reason, message } });
  }
}

/** What the activity may have claimed by then is left to the sweep. */
function stoppedBeforeAdmission(manifest: unknown, inbox: Inbox): JobOutcome {
  const event = inbox.take();
  const cause = event?.type === 'stop' ? event.cause : undefined;
  return { ...beforeAdmission(manifest), phase: 'Stopped', state: 'Stopped', cause };
}

interface Run {
  readonly manifest: unknown;
  readonly amendable: Amendable;
  readonly inbox: Inbox;
  readonly carried: Carried | undefined;
}

async function run(
  { manifest, amendable, inbox, carried }: Run,
  announce: (standing: Standing) => void,
): Promise<JobOutcome> {
  const { anchorUid, gang, queued, generation } = amendable.admission;
  const { plan, warnings } = amendable.admission.job;
  if (!carried) upsertMemo({ [MEMO.anchorUid]: anchorUid });
  const performer = createPerformer(() => amendable.admission, inbox.push);
  const alarms = createAlarms(inbox.push);
  const first = carried
    ? { job: restore(carried.job), effects: carried.unfinished ?? [] }
    : begin({ plan, anchorUid, gang, queued, generation }, Date.now());
  carried?.events?.forEach(inbox.push);
  const publisher = createPublisher(anchorUid, carried && statusOf(first.job, warnings));
  const history = createHistoryWatch();
  const isTimeForNewRun = () =>
    history.isLong({ isBusy: !performer.isIdle() }) && publisher.isIdle() && allHandlersFinished();

  let job: Job = first.job;
  let effects = first.effects;
  for (;;) {
    effects.forEach(performer.perform);
    const { context } = job.snapshot;
    alarms.set(context.deadlines);
    const status = statusOf(job, warnings);
    announce({ status, context });
    publisher.publish(status);
    if (job.snapshot.status === 'done') break;
    await condition(() => !inbox.isEmpty() || isTimeForNewRun());
    if (inbox.isEmpty()) {
      const unfinished = await performer.interrupt();
      await condition(allHandlersFinished);
      const { admission } = amendable;
      await goOnInNewRun(manifest, {
        admission,
        job: save(job),
        unfinished,
        events: inbox.takeAll(),
      });
    }
    ({ job, effects } = step(job, inbox.take()!));
  }
  await publisher.settled();
  return statusOf(job, warnings) as JobOutcome;
}

/** Memo and search attributes go along: the watcher and the client find the job by them. */
function goOnInNewRun(manifest: unknown, carried: Carried): Promise<never> {
  const { memo, typedSearchAttributes } = workflowInfo();
  return makeContinueAsNewFunc<typeof trainingJob>({ memo, typedSearchAttributes })(manifest, carried);
}

/** The job is over for everybody who waits for it; what is left of it in the cluster goes when its time has come. */
async function expireLater(outcome: JobOutcome, { job, anchorUid }: Admission): Promise<void> {
  const seconds = job.plan.runPolicy.ttlSecondsAfterFinished;
  if (seconds === undefined || outcome.phase === 'Stopped') return;
  const { namespace, name } = job;
  const at = Date.parse(outcome.completionTime ?? '') + seconds * 1000;
  await startChild<typeof expireJob>(EXPIRE_JOB, {
    workflowId: `expire/${namespace}/${name}/${anchorUid}`,
    parentClosePolicy: ParentClosePolicy.ABANDON,
    args: [{ namespace, anchorName: anchorNameOf(name), anchorUid, at }],
  });
}

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

/** What can be said of a manifest that nobody has read yet. */
function beforeAdmission(manifest: unknown): JobStatus {
  const { kind, metadata } = (manifest ?? {}) as {
    kind?: string;
    metadata?: { name?: string; namespace?: string };
  };
  return {
    kind: String(kind ?? ''),
    name: String(metadata?.name ?? ''),
    namespace: String(metadata?.namespace ?? 'default'),
    phase: 'Pending',
    state: 'Pending.Admitting',
    attempt: 1,
    restarts: 0,
    cause: { reason: 'CreatingObjects', message: 'the manifest is being checked and the name claimed' },
    conditions: [],
    replicaStatuses: {},
    warnings: [],
    timeline: [],
  };
}
