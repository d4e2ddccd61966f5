import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  ParentClosePolicy,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Admission } from '../activities/admit.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import { EXPIRE_JOB, INVALID_MANIFEST, JOB_FAILED, MEMO } from '../contracts/messages.ts';
import type { JobOutcome, JobStatus } from '../contracts/status.ts';
import { statusOf } from '../machines/job-status.ts';
import { begin, type Job, type Step, step } from '../machines/step.ts';
import { admit } from './activity-options.ts';
import { createAlarms } from './alarms.ts';
import { type Amendable, acceptAmendments } from './amendments.ts';
import { wasCalledOff } from './called-off.ts';
import type { expireJob } from './expire-job.ts';
import { createHistoryWatch } from './history-watch.ts';
import { type Inbox, openInbox } from './inbox.ts';
import type { Standing } from './interventions.ts';
import { type Carried, goOnInNewRun, type Resumed, resume, stepOf } from './new-run.ts';
import { causeOf, createPerformer } from './performer.ts';
import { createPublisher, type Published } from './publisher.ts';

/**
 * One training job, from its manifest to its outcome. It hears (inbox), decides (machines), and performs; it ends by
 * returning the outcome, or by failing with it.
 */
export async function trainingJob(manifest: unknown, carried?: Carried): Promise<JobOutcome> {
  const resumed = carried && resume(carried);
  // Whoever asks for something in the first moment of a new run is answered by where the job stands.
  let standing: Standing = resumed
    ? standingOf(resumed.job, resumed.admission)
    : { status: beforeAdmission(manifest) };
  let amendable: Amendable | undefined = carried && { admission: carried.admission };
  const inbox = openInbox(() => standing, carried?.events);
  acceptAmendments({ manifest, standing: () => standing, push: inbox.push, of: () => amendable! });
  return CancellationScope.nonCancellable(async () => {
    const admission = carried?.admission ?? (await admitted(manifest, inbox));
    if (!admission) return conclude(stoppedBeforeAdmission(manifest, inbox));
    amendable ??= { admission };
    const outcome = await run({ manifest, amendable, inbox, resumed }, (current) => {
      standing = current;
    });
    await condition(allHandlersFinished);
    await expireLater(outcome, amendable.admission);
    return conclude(outcome);
  });
}

const standingOf = (job: Job, { job: { warnings } }: Admission): Standing => ({
  status: statusOf(job, warnings),
  context: job.snapshot.context,
});

/** Undefined if the job was stopped first: a cluster that does not answer must not hold on to it. */
async function admitted(manifest: unknown, inbox: Inbox): Promise<Admission | undefined> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const scope = new CancellationScope({ cancellable: true });
  void condition(inbox.isStopped).then(() => scope.cancel());
  try {
    return await scope.run(() => admit({ manifest, workflowId, firstRunId: firstExecutionRunId }));
  } catch (error) {
    if (wasCalledOff(error)) return undefined;
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
  const cause = inbox.takeAll().find((event) => event.type === 'stop')?.cause;
  return { ...beforeAdmission(manifest), phase: 'Stopped', state: 'Stopped', cause };
}

interface Run {
  readonly manifest: unknown;
  readonly amendable: Amendable;
  readonly inbox: Inbox;
  readonly resumed: Resumed | undefined;
}

async function run(
  { manifest, amendable, inbox, resumed }: Run,
  announce: (standing: Standing) => void,
): Promise<JobOutcome> {
  const { anchorUid } = amendable.admission;
  if (!resumed) upsertMemo({ [MEMO.anchorUid]: anchorUid });
  const performer = createPerformer(() => amendable.admission, inbox.push);
  const alarms = createAlarms(inbox.push);
  const publisher = createPublisher(anchorUid, resumed && publishedBy(resumed));
  const history = createHistoryWatch();
  // Only the run that was cancelled can end as cancelled.
  const isTimeForNewRun = () =>
    history.isLong({ isBusy: !performer.isIdle() || !publisher.isIdle() }) &&
    allHandlersFinished() &&
    !inbox.isCancelled();

  let { job, effects } = resumed ? stepOf(resumed) : firstStep(amendable.admission);
  for (;;) {
    effects.forEach(performer.perform);
    const standing = standingOf(job, amendable.admission);
    alarms.set(job.snapshot.context.deadlines);
    announce(standing);
    publisher.publish(standing.status);
    if (job.snapshot.status === 'done') break;
    await condition(() => !inbox.isEmpty() || isTimeForNewRun());
    if (inbox.isEmpty()) {
      const [unfinished, recorded] = await Promise.all([performer.interrupt(), publisher.interrupt()]);
      await condition(allHandlersFinished);
      if (!inbox.isCancelled()) {
        const { admission } = amendable;
        await goOnInNewRun(manifest, { admission, job, unfinished, recorded, events: inbox.takeAll() });
      }
      effects = unfinished;
    } else {
      ({ job, effects } = step(job, inbox.take()!));
    }
  }
  await publisher.settled();
  return standingOf(job, amendable.admission).status as JobOutcome;
}

function firstStep({ job: { plan }, anchorUid, gang, queued, generation }: Admission): Step {
  return begin({ plan, anchorUid, gang, queued, generation }, Date.now());
}

const publishedBy = ({ job, admission, recorded }: Resumed): Published => {
  const { status } = standingOf(job, admission);
  return { status, recorded: recorded ?? status.phase };
};

/** The job is over for everybody who waits for it; what is left of it in the cluster goes when its time has come. */
async function expireLater(outcome: JobOutcome, { job, anchorUid }: Admission): Promise<void> {
  const seconds = job.plan.runPolicy.ttlSecondsAfterFinished;
  if (seconds === undefined) return;
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
