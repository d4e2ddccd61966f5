import { assign, setup } from 'xstate';
import type { FinalPhase } from '../../contracts/status.ts';
import { withAssessment } from '../assess/assess.ts';
import {
  afterReplacing,
  beforeDraining,
  beforeReplacing,
  nextAttempt,
  restartsGang,
  startBackOff,
  startRecovery,
  withRefund,
} from '../attempt/restart.ts';
import { withoutSuspension, withSuspension } from '../attempt/suspend.ts';
import { needsCapture, withCaptured, withCaptureStarted } from '../failures/evidence.ts';
import { hostListToPublish } from '../gang/host-list.ts';
import { isGangBroken } from '../gang/incomplete-gang.ts';
import { withNewSizes } from '../gang/resize.ts';
import { withAmendment } from '../gang/scaling.ts';
import type { Assessment } from '../model/assessment.ts';
import { isNewDigest, withDigest, withMinRevision } from '../model/digest-order.ts';
import {
  ACTIVE_DEADLINE,
  AVOIDANCE,
  BACK_OFF,
  FORCE_DELETE,
  HOLD,
  type JobContext,
  type JobInput,
  LOOK,
  RECOVERY,
  REFUSED,
  STALL,
  START_UP,
} from '../model/job-context.ts';
import type { Effect, JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { withForceTimer, withoutTimers, withTimer } from '../model/timers.ts';
import { podsLostBy, withLossTimer } from '../nodes/lost-nodes.ts';
import { withAvoidanceTimer } from '../nodes/node-avoidance.ts';
import {
  awaitCheckpoint,
  endsBySignal,
  isCheckpointOver,
  isStopWithoutCheckpoint,
  wantsCheckpoint,
} from '../stopping/checkpoint.ts';
import {
  withCheckpointAnswer,
  withCheckpointSignal,
  withoutCheckpoint,
  withSignalResult,
} from '../stopping/checkpoint-result.ts';
import { causeOfEnd } from '../stopping/end-cause.ts';
import { holdTime, isHeldOnFailure } from '../stopping/hold.ts';
import { withCleanUpRefusal } from '../stopping/refused-clean-up.ts';
import { areStuckPodsGone, waitsAtTheEnd, withoutStuckPods, withStuckPods } from '../stopping/stuck-pods.ts';
import { startInPlaceRecovery, withNextRung } from '../timeouts/recovery.ts';
import { withRefusal } from '../timeouts/refusals.ts';
import {
  isSilent,
  silentUntil,
  stallsAt,
  stallTrouble,
  withoutStallAfterProgress,
} from '../timeouts/stall.ts';
import { startUpTrouble } from '../timeouts/startup.ts';

/** A gang whose pods nobody has seen cannot be judged. */
const WAIT_LONGER_MS = 30_000;

/** What states have in common, beside their phase: no pods; waits for its next restart; held for somebody; the end is decided. */
export type StateTag = 'withoutPods' | 'waitsToRestart' | 'held' | 'ending';

/** What an action changes of the context; what that means for the job is decided at once. */
const change = <P = undefined>(changes: (told: Told, params: P) => Partial<JobContext>) =>
  assign<JobContext, JobEvent, P, JobEvent, never>((told, params) =>
    withAssessment({ ...told.context, ...changes(told, params) }),
  );

interface Told {
  readonly context: JobContext;
  readonly event: JobEvent;
}

/** What the statechart of a job can do and ask: what its states mean is in job-machine.ts. */
export const jobSetup = setup({
  types: {
    context: {} as JobContext,
    events: {} as JobEvent,
    input: {} as JobInput,
    tags: {} as StateTag,
  },
  actions: {
    /** Done by the workflow. Without a body that throws, a host that forgets to would go unnoticed. */
    perform: (_, _effect: Effect) => {
      throw new Error('effects are performed by the host of the machine, not by the machine');
    },
    applyDigest: change(({ context, event }) => {
      if (event.type !== 'digest') return context;
      const known = withDigest({ ...context, at: event.at }, event.digest, event.at);
      return withAvoidanceTimer(
        withLossTimer(withRefund(context, withoutStallAfterProgress(context, known))),
      );
    }),
    recordRefusal: change(({ context, event }) =>
      event.type === 'effectRefused' ? withRefusal(context, event) : {},
    ),
    recordHostList: change(({ context }) => ({
      publishedHostList: hostListToPublish(context) ?? context.publishedHostList,
    })),
    markLaunched: change(() => ({ launched: true })),
    /** For good: a failed member that somebody deletes is made again, and the others are outside already. */
    leaveGang: change(({ context }) => {
      const leaves = isGangBroken(context);
      return { isOutsideGang: leaves, isGangBroken: leaves || undefined };
    }),
    suspend: change(({ context, event }) =>
      event.type === 'suspend' ? withSuspension(context, event.cause) : {},
    ),
    /** A job that was to be suspended is to go on before it is. */
    cancelSuspend: change(() => ({ suspension: undefined })),
    resume: change(({ context }) => withoutSuspension(context)),
    requireRevision: change(({ context, event }) =>
      event.type === 'effectDone' ? withMinRevision(context, event.revision) : {},
    ),
    /** A job that starts again is not given its time again. */
    startDeadline: change(({ context, event }) => {
      const seconds = context.plan.runPolicy.activeDeadlineSeconds;
      if (seconds === undefined || context.deadlines[ACTIVE_DEADLINE] !== undefined) return {};
      return withTimer(context, ACTIVE_DEADLINE, event.at + seconds * 1000);
    }),
    extendDeadline: change(({ context, event }) => {
      const seconds = context.plan.runPolicy.activeDeadlineSeconds;
      if (event.type !== 'extendDeadline' || seconds === undefined) return {};
      const runPolicy = { ...context.plan.runPolicy, activeDeadlineSeconds: seconds + event.seconds };
      const until = context.deadlines[ACTIVE_DEADLINE];
      return {
        plan: { ...context.plan, runPolicy },
        ...(until === undefined ? {} : withTimer(context, ACTIVE_DEADLINE, until + event.seconds * 1000)),
      };
    }),
    /** What is merely gone, e.g. deleted by hand, is made again at once; what failed may fail again. */
    startBackOff: change(({ context, event }) => startBackOff(context, event.at)),
    /** It is not waited for twice, whatever else comes before the restart. */
    endBackOff: change(({ context }) =>
      context.deadlines[BACK_OFF] === undefined
        ? {}
        : { ...withoutTimers(context, BACK_OFF), skipsBackOff: true },
    ),
    beforeReplacing: change(({ context }) => beforeReplacing(context)),
    afterReplacing: change(({ context, event }) => afterReplacing(context, event.at)),
    beginDraining: change(({ context, event }) => beforeDraining(context, event.at)),
    recordStuckPods: change(({ context, event }) =>
      event.type === 'effectDone'
        ? { refusedCleanUp: undefined, ...withStuckPods(context, event, event.at) }
        : {},
    ),
    recordCleanUpRefusal: change(({ context, event }) => {
      if (event.type === 'effectFailed') return withCleanUpRefusal(context, event.cause.message, event.at);
      return event.type === 'effectDone' ? withCleanUpRefusal(context, event.refused ?? '', event.at) : {};
    }),
    clearLookTimer: change(({ context }) => withoutTimers(context, LOOK)),
    /** Not as what is known of the job: its end is decided. */
    recordFinalDigest: change(({ event }) => (event.type === 'digest' ? { finalDigest: event.digest } : {})),
    startForceTimer: change(({ context, event }) => withForceTimer(context, context, event.at)),
    clearStuckPods: change(({ context }) => withoutStuckPods(context)),
    startAttempt: change(({ context }) => nextAttempt(context)),
    startRecovery: change(({ context, event }) => startRecovery(context, event.at)),
    clearForceTimer: change(({ context }) => ({
      ...withoutTimers(context, FORCE_DELETE),
      restarting: undefined,
    })),
    /** Pods that wait too long for their start, or a gang that does not come back. */
    startStartUpTimer: change(({ context, event }) => {
      const after = jobPolicy(context).failures.startUpAfterMs;
      const others = withoutTimers(context, START_UP);
      return after === undefined ? others : withTimer(others, START_UP, event.at + after);
    }),
    markStartUpFailed: change(({ context }) => ({
      ...withoutTimers(context, START_UP),
      trouble: startUpTrouble(context),
    })),
    clearStartTimers: change(({ context }) => withoutTimers(context, RECOVERY, START_UP)),
    markNotRecovered: change(({ context }) => ({
      ...withoutTimers(context, RECOVERY),
      ...withNextRung(context),
    })),
    extendRecoveryTimer: change(({ context, event }) =>
      withTimer(context, RECOVERY, event.at + WAIT_LONGER_MS),
    ),
    startStallTimer: change(({ context, event }) => {
      const rested = withoutTimers(context, RECOVERY, START_UP, STALL);
      const at = stallsAt(context, event.at);
      return at === undefined ? rested : withTimer(rested, STALL, at);
    }),
    renewStallTimer: change(({ context, event }) =>
      withTimer(context, STALL, stallsAt(context, 0) ?? event.at),
    ),
    extendStallTimer: change(({ context, event }) =>
      withTimer(context, STALL, silentUntil(context, event.at)),
    ),
    clearStallTimer: change(({ context, event }) => startInPlaceRecovery(context, event.at)),
    markStalled: change(({ context }) => ({ trouble: stallTrouble(context) })),
    markLost: change(({ context, event }) =>
      withLossTimer({ ...context, at: event.at, lost: podsLostBy(context, event.at) }),
    ),
    clearAvoidanceTimer: change(({ context }) => withoutTimers(context, AVOIDANCE)),
    clearTrouble: change(() => ({ trouble: undefined, released: undefined, skipsBackOff: undefined })),
    recordCaptureStart: change(({ context }) => withCaptureStarted(context)),
    recordEvidence: change(({ context, event }) =>
      withCaptured(context, event.type === 'effectDone' ? (event.evidence ?? []) : []),
    ),
    hold: change(({ context, event }) => {
      const ms = event.type === 'hold' ? event.seconds * 1000 : holdTime(context);
      return withTimer(context, HOLD, event.at + ms);
    }),
    setHold: change(({ event }) => (event.type === 'hold' ? { holdMs: event.seconds * 1000 } : {})),
    release: change(({ context }) => ({ ...withoutTimers(context, HOLD), released: true })),
    skipBackOff: change(() => ({ skipsBackOff: true })),
    amend: change(({ context, event }) =>
      event.type === 'amend' ? withLossTimer({ ...context, ...withAmendment(context, event.plan) }) : {},
    ),
    resize: change(({ context }) => withNewSizes(context)),
    awaitCheckpoint: change(({ context, event }) => awaitCheckpoint(context, event.at)),
    recordCheckpointAnswer: change(({ context, event }) => withCheckpointAnswer(context, event)),
    signalCheckpoint: change(({ context, event }) => withCheckpointSignal(context, event)),
    waiveCheckpoint: change(({ context, event }) => withoutCheckpoint(context, event)),
    recordSignalResult: change(({ context, event }) => withSignalResult(context, event)),
    clearTimers: change(() => ({ deadlines: {} })),
    decideOutcome: change(({ context, event }, { phase }: { phase: FinalPhase }) => ({
      outcome: {
        phase,
        cause: causeOfEnd(context, event),
        ...(event.type === 'stop' && event.checkpoint ? { checkpoint: true } : {}),
      },
      deadlines: {},
    })),
  },
  guards: {
    isAssessedAs: ({ context }, { is }: { is: Assessment['is'] }) => context.assessment.is === is,
    isDeadline: ({ event }, { name }: { name: string }) => event.type === 'deadline' && event.name === name,
    isRefused: ({ context }) => context.refusedEffects !== undefined,
    isBackOffOver: ({ context }) => context.deadlines[BACK_OFF] === undefined,
    isSuspended: ({ context }) => context.suspension !== undefined,
    isSuspendCancelled: ({ context }) => context.suspension === undefined,
    isQueued: ({ context }) => context.queued === true,
    isAdmitted: ({ context }) => context.digest?.gang?.admitted === true,
    changesHostList: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest(context, event.digest) &&
      hostListToPublish(withDigest(context, event.digest)) !== undefined,
    /** And with it all that could be looked at. */
    isAnchorGone: ({ context, event }) =>
      event.type === 'digest' && event.digest.anchorDeleted && isNewDigest(context, event.digest),
    isNewDigest: ({ context, event }) => event.type === 'digest' && isNewDigest(context, event.digest),
    /** Of an effect that was cancelled the end may still be told; it is not the end of what came after. */
    isFor: ({ event }, { effect }: { effect: Effect['type'] }) =>
      'effect' in event && event.effect === effect,
    /** Pods are left that should be gone. */
    hasStuckPods: ({ event }, { effect }: { effect: Effect['type'] }) =>
      event.type === 'effectDone' && event.effect === effect && !!event.left?.length,
    isCleanedUp: ({ context, event }, { phase }: { phase: FinalPhase }) =>
      'effect' in event && event.effect === 'cleanUp' && context.outcome?.phase === phase,
    isEvidenceLate: ({ context, event }) =>
      event.type === 'deadline' && event.name === REFUSED && context.refusedEffects?.capture !== undefined,
    needsCapture: ({ context }) => needsCapture(context),
    isHeldOnFailure: ({ context }) => isHeldOnFailure(context),
    restartsGang: ({ context }) => restartsGang(context),
    /** What was wrong has mended itself before anything was deleted. */
    hasRecovered: ({ context }) => context.assessment.is === 'running' && context.trouble === undefined,
    /** Something newer than the last change is known. */
    isRecoveryOver: ({ context, event }) =>
      event.type === 'deadline' && event.name === RECOVERY && context.assessment.is !== 'undecided',
    /** The timer is older than what was heard since. */
    hasReportedProgress: ({ context, event }) =>
      event.type === 'deadline' && event.name === STALL && (stallsAt(context, 0) ?? 0) > event.at,
    /** Its silence says nothing: nobody has listened for so long. */
    isSilenceUnproven: ({ context, event }) =>
      event.type === 'deadline' && event.name === STALL && !isSilent(context),
    hasNotStarted: ({ context, event }) =>
      event.type === 'deadline' &&
      event.name === START_UP &&
      context.assessment.is !== 'undecided' &&
      startUpTrouble(context) !== undefined,
    areStuckPodsGone: ({ context }) => areStuckPodsGone(context),
    /** A timer may be older than the look that is under way. */
    isLookDue: ({ context, event }) =>
      event.type === 'deadline' &&
      ((event.name === LOOK && context.deadlines[LOOK] !== undefined) ||
        (event.name === FORCE_DELETE && jobPolicy(context).nodes.forceDeleteAfterMs !== undefined)),
    isCleanUpRefused: ({ event }) =>
      event.type === 'effectDone' && event.effect === 'cleanUp' && event.refused !== undefined,
    waitsForStuckPods: ({ context, event }) =>
      event.type === 'effectDone' && event.effect === 'cleanUp' && waitsAtTheEnd(context, event, event.at),
    /** In between nobody tries. */
    isCleanUpWaiting: ({ context }) =>
      context.refusedCleanUp !== undefined && context.deadlines[LOOK] !== undefined,
    isNewFinalDigest: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest({ ...context, digest: context.finalDigest ?? context.digest }, event.digest),
    wantsCheckpoint: ({ context }) => wantsCheckpoint(context),
    isCheckpointOver: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest(context, event.digest) &&
      isCheckpointOver(withDigest(context, event.digest)),
    isStopWithoutCheckpoint: ({ event }) => isStopWithoutCheckpoint(event),
    isStopDuringSignal: ({ context, event }) => isStopWithoutCheckpoint(event) && endsBySignal(context),
    failsWithoutEvidence: ({ context }) => context.outcome?.phase === 'Failed' && needsCapture(context),
    /** Not by what a digest showed, but by a time that was over, or by what could not be done: in any state. */
    failsHeldWhileWorking: ({ context, event }) =>
      context.outcome?.phase === 'Failed' &&
      (event.type === 'deadline' || event.type === 'effectFailed') &&
      isHeldOnFailure(context),
    failsHeld: ({ context }) => context.outcome?.phase === 'Failed' && isHeldOnFailure(context),
  },
});
