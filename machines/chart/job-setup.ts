import { assign, setup } from 'xstate';
import type { FinalPhase } from '../../contracts/status.ts';
import { withAssessment } from '../assess/assess.ts';
import {
  afterReplacing,
  beforeDraining,
  beforeReplacing,
  nextAttempt,
  RESTART_FOR_SIZES,
  restartsAnyway,
  restartsGang,
  startBackOff,
  startRecovery,
  withRefund,
} from '../attempt/restart.ts';
import { withoutSuspension, withSuspension } from '../attempt/suspend.ts';
import { hasEvidenceToBegin, needsCapture, withCaptured, withCaptureStarted } from '../failures/evidence.ts';
import { hostListToPublish } from '../gang/host-list.ts';
import { isGangBroken } from '../gang/incomplete-gang.ts';
import { launchableRoles, withLaunched } from '../gang/launch-order.ts';
import { placed, turnOf, withFirstPlaced, withGangPlaced, withLift } from '../gang/lift.ts';
import { servicesToRestore } from '../gang/missing-services.ts';
import { withNewSizes } from '../gang/resize.ts';
import { failsUnplaced, withRollBack, withRollBackBegun } from '../gang/roll-back.ts';
import { resizes, scalesLive, withAmendment } from '../gang/scaling.ts';
import { gateOf } from '../gate/gate.ts';
import type { Assessment } from '../model/assessment.ts';
import { isNewDigest, withDigest, withMinResourceVersion } from '../model/digest-order.ts';
import type { Effect } from '../model/effects.ts';
import {
  FORCE_DELETE,
  type JobContext,
  type JobInput,
  LOOK,
  NODE_LOST,
  RECOVERY,
  REFUSED,
  STALL,
  START_UP,
} from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { withUnanswered } from '../nodes/left-behind.ts';
import { podsLostBy } from '../nodes/lost-nodes.ts';
import { withChargesInPlace } from '../restart/failure-budget.ts';
import { lacksSpares, withoutSparesAsked, withSparesAsked, withSparesKept } from '../spares/keep-spares.ts';
import { withLossTimed, withoutTaken } from '../spares/take-places.ts';
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
import { savesBeforeDeparture, withDeparture, withoutDeparture } from '../stopping/departure.ts';
import { causeOfEnd } from '../stopping/end-cause.ts';
import {
  evictionOf,
  savesBeforeEviction,
  withCheckpointOver,
  withCheckpointRequest,
  withEviction,
} from '../stopping/eviction.ts';
import { isHeldOnFailure } from '../stopping/hold.ts';
import { withCleanUpRefusal } from '../stopping/refused-clean-up.ts';
import {
  areStuckPodsGone,
  looksAgainAt,
  waitsAtTheEnd,
  withLookBegun,
  withoutStuckPods,
  withStuckPods,
} from '../stopping/stuck-pods.ts';
import { startInPlaceRecovery, withNextRung } from '../timeouts/recovery.ts';
import { withRefusal } from '../timeouts/refusals.ts';
import {
  hasReportedProgress,
  isSilent,
  reportedAt,
  stallTrouble,
  withFollowedSince,
  withHang,
  withoutStallAfterProgress,
  withUnprovenSilence,
} from '../timeouts/stall.ts';
import { startUpTrouble } from '../timeouts/startup.ts';

/** What several states have in common. */
export type StateTag =
  | 'withoutPods'
  | 'suspended'
  | 'starting'
  /** Restarted pods have a limited time to become ready. */
  | 'recovering'
  /** Pods are being deleted. */
  | 'deleting'
  /** The pods of the attempt go, for another attempt. */
  | 'restartsGang'
  /** The job has time to write a checkpoint. */
  | 'checkpointing'
  /** The gang has not got its nodes yet. */
  | 'unplaced'
  /** Evidence is being taken. */
  | 'capturing'
  /** Failed pods are kept for inspection. */
  | 'held'
  /** The outcome is decided. */
  | 'ending';

/** Changes the context and updates its assessment. */
const change = <P = undefined>(changesFor: (args: ActionArgs, params: P) => Partial<JobContext>) =>
  assign<JobContext, JobEvent, P, JobEvent, never>((args, params) => {
    const changes = changesFor(args, params);
    return Object.keys(changes).length > 0 ? withAssessment({ ...args.context, ...changes }) : changes;
  });

const LEFT_TO_KUBELET: ReadonlySet<Assessment['is']> = new Set(['starting', 'scheduling', 'launchable']);

/** What xstate passes to actions and guards. */
export interface ActionArgs {
  readonly context: JobContext;
  readonly event: JobEvent;
}

/** Types, actions and guards of the statechart. job-machine.ts defines the states. */
export const jobSetup = setup({
  types: {
    context: {} as JobContext,
    events: {} as JobEvent,
    input: {} as JobInput,
    tags: {} as StateTag,
  },
  actions: {
    /** The workflow runs effects. The body throws so that a host that does not run them fails visibly. */
    perform: (_, _effect: Effect) => {
      throw new Error('effects are performed by the host of the machine, not by the machine');
    },
    applyDigest: change(({ context, event }) => {
      if (event.type !== 'digest') return context;
      const known = withDigest(context, event.digest);
      const charged = {
        ...known,
        ...withChargesInPlace(known),
        ...withFirstPlaced(known),
        ...withUnanswered(known),
        ...withHang(known),
      };
      return withoutStallAfterProgress(context, charged);
    }),
    refund: change(({ context, event }) => withRefund(context, event.at)),
    recordRefusal: change(({ context, event }) =>
      event.type === 'effectRefused' ? withRefusal(context, event) : {},
    ),
    recordHostList: change(({ context }) => ({
      publishedHostList: hostListToPublish(context) ?? context.publishedHostList,
    })),
    recordServices: change(({ context }) => ({ servicesRestored: context.digest?.missingServices?.at })),
    beginLaunch: change(({ context }) => ({ launching: launchableRoles(context) })),
    markLaunched: change(({ context }) => withLaunched(context)),
    /** Permanent: if a failed member is deleted by hand later, its replacement would be alone in the gang. */
    leaveGang: change(({ context }) => {
      const leaves = isGangBroken(context);
      return { isOutsideGang: leaves, isGangBroken: leaves || undefined };
    }),
    suspend: change(({ context, event }) =>
      event.type === 'suspend' ? withSuspension(context, event.cause, event.at) : {},
    ),
    suspendByRule: change(({ context, event }) =>
      context.assessment.is === 'suspended'
        ? withSuspension(context, context.assessment.cause, event.at)
        : {},
    ),
    /** Resumes a job that is still being suspended. */
    cancelSuspend: change(() => ({ suspension: undefined })),
    resume: change(({ context }) => withoutSuspension(context)),
    requireResourceVersion: change(({ context, event }) =>
      event.type === 'effectDone' ? withMinResourceVersion(context, event.resourceVersion) : {},
    ),
    /** A restart does not give a job more time. */
    recordActive: change(({ context, event }) => ({ activeSince: context.activeSince ?? event.at })),
    extendDeadline: change(({ context, event }) => {
      if (event.type !== 'extendDeadline') return {};
      return { extendedSeconds: (context.extendedSeconds ?? 0) + event.seconds };
    }),
    /** Missing pods, e.g. deleted by hand, are recreated at once; failed pods may fail again and wait. */
    startBackOff: change(({ context, event }) => startBackOff(context, event.at)),
    /** The back-off is not repeated, whatever else precedes the restart. */
    endBackOff: change(({ context }) =>
      context.backsOffUntil === undefined ? {} : { backsOffUntil: undefined, skipsBackOff: true },
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
    beginLift: change(({ context, event }) => withLift(context, event.at)),
    /** The turn was over before a gate was lifted. */
    forgetLift: change(({ context: { lift } }) => ({ lift: undefined, passedTurn: lift?.turn })),
    /** It was over before a pod was created. */
    forgetGrant: change(({ context: { digest } }) => ({ passedGrant: digest?.lane?.until })),
    recordPlace: change(({ context: { gate } }) =>
      gate === 'lane' ? { holdsPlace: true, yieldsTo: undefined } : {},
    ),
    recordGangPlaced: change(({ context }) => withGangPlaced(context)),
    recordWait: change(({ context: { waitsSince, at } }) =>
      waitsSince === undefined ? { waitsSince: at } : {},
    ),
    /** A lane is no scheduler: the time in it is not that of waiting for nodes. */
    recordWaitForGroup: change(({ context: { gate, waitsSince, at } }) =>
      gate === 'group' && waitsSince === undefined ? { waitsSince: at } : {},
    ),
    beginRollBack: change(({ context, event }) => withRollBackBegun(context, event)),
    keepPlacedGang: change(({ context }) => ({
      ...placed(context),
      ...(context.gate === 'lane' ? { holdsPlace: true } : {}),
    })),
    recordRollBack: change(({ context, event }) => withRollBack(context, event.at)),
    beginLook: change(({ context }) => withLookBegun(context)),
    /** Does not replace `digest`: the outcome is already decided. */
    recordFinalDigest: change(({ event }) => (event.type === 'digest' ? { finalDigest: event.digest } : {})),
    recordDeleting: change(({ event }) => ({ deletingSince: event.at })),
    clearStuckPods: change(({ context }) => withoutStuckPods(context)),
    startAttempt: change(({ context }) => nextAttempt(context)),
    startRecovery: change(({ context, event }) => startRecovery(context, event.at)),
    clearRestarting: change(() => ({ restarting: undefined })),
    recordStarting: change(({ event }) => ({ startingSince: event.at })),
    markStartUpFailed: change(({ context }) => ({ trouble: startUpTrouble(context) })),
    markNotRecovered: change(({ context }) => withNextRung(context)),
    recordUnseen: change(({ context, event }) => ({
      recovery: context.recovery && { ...context.recovery, unseenAt: event.at },
    })),
    recordRunning: change(({ context, event }) => ({
      ...withoutTaken(context),
      silentSince: event.at,
      unpaced: undefined,
      startingSince: undefined,
      recovery: undefined,
    })),
    askForSpares: change(({ context }) => withSparesAsked(context)),
    recordSpares: change(({ context, event }) =>
      event.type === 'effectDone' || event.type === 'effectFailed' ? withSparesKept(context, event) : {},
    ),
    forgetSpares: change(({ context }) => withoutSparesAsked(context)),
    recordLoss: change(({ context }) => withLossTimed(context)),
    recordLastReport: change(({ context: { progress } }) => ({
      silentSince: progress && reportedAt(progress),
    })),
    recordFollowed: change(({ context, event }) => withUnprovenSilence(context, event.at)),
    startInPlaceRecovery: change(({ context, event }) => startInPlaceRecovery(context, event.at)),
    markStalled: change(({ context }) => ({ trouble: stallTrouble(context) })),
    markLost: change(({ context, event }) => ({ lost: podsLostBy(context, event.at) })),
    beginDeparture: change(({ context, event }) => withDeparture(context, event.at)),
    clearTrouble: change(({ context }) => ({
      ...withoutDeparture(context),
      trouble: undefined,
      released: undefined,
      skipsBackOff: undefined,
      backsOffUntil: undefined,
    })),
    recordCaptureStart: change(({ context }) => withCaptureStarted(context)),
    recordEvidence: change(({ context, event }) => {
      const taken = withCaptured(context, event.type === 'effectDone' ? (event.evidence ?? []) : []);
      return { ...taken, ...withChargesInPlace({ ...context, ...taken }) };
    }),
    hold: change(({ event }) => ({
      held: { since: event.at, ...(event.type === 'hold' ? { ms: event.seconds * 1000 } : {}) },
    })),
    setHold: change(({ event }) => (event.type === 'hold' ? { holdMs: event.seconds * 1000 } : {})),
    release: change(() => ({ released: true })),
    skipBackOff: change(() => ({ skipsBackOff: true })),
    amend: change(({ context, event }) =>
      event.type === 'amend'
        ? { ...withFollowedSince(context, event.plan, event.at), ...withAmendment(context, event) }
        : {},
    ),
    resize: change(({ context }) => withNewSizes(context)),
    restartForSizes: change(() => RESTART_FOR_SIZES),
    beginEviction: change(({ context }) => withEviction(context)),
    requestCheckpoint: change(({ context, event }) => withCheckpointRequest(context, event.at)),
    recordCheckpointOver: change(({ context, event }) => withCheckpointOver(context, event)),
    awaitCheckpoint: change(({ context, event }) => awaitCheckpoint(context, event.at)),
    recordCheckpointAnswer: change(({ context, event }) => withCheckpointAnswer(context, event)),
    signalCheckpoint: change(({ context, event }) => withCheckpointSignal(context, event)),
    waiveCheckpoint: change(({ context, event }) => withoutCheckpoint(context, event)),
    recordSignalResult: change(({ context, event }) => withSignalResult(context, event)),
    decideOutcome: change(({ context, event }, { phase }: { phase: FinalPhase }) => ({
      outcome: {
        phase,
        cause: causeOfEnd(context, event),
        ...(event.type === 'stop' && event.checkpoint ? { checkpoint: true } : {}),
      },
    })),
  },
  guards: {
    isAssessedAs: ({ context }, { is }: { is: Assessment['is'] }) => context.assessment.is === is,
    isDeadline: ({ event }, { name }: { name: string }) => event.type === 'deadline' && event.name === name,
    /** An amendment changes sizes. */
    resizes: ({ context, event }) => event.type === 'amend' && resizes(context, event.plan),
    /** The same, of roles that scale while they run. */
    resizesLive: ({ context, event }) =>
      event.type === 'amend' && resizes(context, event.plan) && scalesLive(context, event.plan),
    isRefused: ({ context }) => context.refusedEffects !== undefined && !context.outcome,
    isRefusedWithoutAnchor: ({ context }) =>
      context.refusedEffects !== undefined && !context.outcome && context.assessment.is === 'stopped',
    isBackOffOver: ({ context }) => context.backsOffUntil === undefined,
    isSuspended: ({ context }) => context.suspension !== undefined,
    isSuspendCancelled: ({ context }) => context.suspension === undefined,
    isGated: ({ context }) => gateOf(context)?.isHeld(context) === false,
    isGateOpen: ({ context }) => gateOf(context)?.isOpen(context) === true,
    /** It has no pods: it only has to ask for admission again. */
    isEvictedUnstarted: ({ context }) => evictionOf(context) !== undefined,
    isUnadmitted: ({ event }) =>
      event.type === 'effectDone' && event.effect === 'createAttempt' && event.isUnadmitted === true,
    isForGate: ({ context, event }) =>
      'effect' in event && event.effect === gateOf(context)?.request(context).type,
    hasTurn: ({ context }) => context.assessment.is === 'scheduling' && turnOf(context) !== undefined,
    isTurnOver: ({ event }, { effect }: { effect: Effect['type'] }) =>
      event.type === 'effectDone' && event.effect === effect && event.isTurnOver === true,
    failsUnplaced: ({ context }) => failsUnplaced(context),
    isGangPlaced: ({ event }) =>
      event.type === 'effectDone' && event.effect === 'rollBack' && event.isPlaced === true,
    changesHostList: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest(context, event.digest) &&
      hostListToPublish(withDigest(context, event.digest)) !== undefined,
    lacksServices: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest(context, event.digest) &&
      servicesToRestore(context, event.digest).length > 0,
    /** The anchor owns all other objects, so there is nothing left to inspect. */
    isAnchorGone: ({ context, event }) =>
      event.type === 'digest' && event.digest.anchorDeleted && isNewDigest(context, event.digest),
    isNewDigest: ({ context, event }) => event.type === 'digest' && isNewDigest(context, event.digest),
    /** A cancelled effect may still report. Ignore it unless its type matches the effect in progress. */
    isFor: ({ event }, { effect }: { effect: Effect['type'] }) =>
      'effect' in event && event.effect === effect,
    hasStuckPods: ({ event }, { effect }: { effect: Effect['type'] }) =>
      event.type === 'effectDone' && event.effect === effect && !!event.stuckPods?.length,
    isCleanedUp: ({ context, event }, { phase }: { phase: FinalPhase }) =>
      'effect' in event && event.effect === 'cleanUp' && context.outcome?.phase === phase,
    isEvidenceLate: ({ context, event }) =>
      event.type === 'deadline' && event.name === REFUSED && context.refusedEffects?.capture !== undefined,
    lacksSpares: ({ context }) => lacksSpares(context),
    needsCapture: ({ context }) => needsCapture(context),
    /** What else has failed is examined while the gang is drained. */
    restartsGangExamined: ({ context }) =>
      restartsGang(context) && hasEvidenceToBegin(context) && !isHeldOnFailure(context),
    isHeldOnFailure: ({ context }) => isHeldOnFailure(context),
    restartsGang: ({ context }) => restartsGang(context),
    restartsAnyway: ({ context }) => restartsAnyway(context),
    /** The job recovered before anything was deleted. */
    hasRecovered: ({ context }) => context.assessment.is === 'running' && context.trouble === undefined,
    /** Nothing failed that signalbox restarts: the kubelet restarts the program in place. */
    isLeftToKubelet: ({ context }) =>
      LEFT_TO_KUBELET.has(context.assessment.is) && context.trouble === undefined,
    /** Requires a digest that is newer than the last change. Pods may be back before a worker reports their replacement. */
    isRecoveryOver: ({ context, event }) =>
      event.type === 'deadline' &&
      event.name === RECOVERY &&
      context.assessment.is !== 'undecided' &&
      context.assessment.is !== 'running',
    /** The job reported progress after the timer was set. */
    hasReportedProgress: ({ context, event }) =>
      event.type === 'deadline' && event.name === STALL && hasReportedProgress(context, event.at),
    /** The watcher has not followed the program for long enough to call it stalled. */
    isSilenceUnproven: ({ context, event }) =>
      event.type === 'deadline' && event.name === STALL && !isSilent(context),
    hasNotStarted: ({ context, event }) =>
      event.type === 'deadline' &&
      event.name === START_UP &&
      context.assessment.is !== 'undecided' &&
      startUpTrouble(context) !== undefined,
    areStuckPodsGone: ({ context }) => areStuckPodsGone(context),
    /** Ignores a timer that fires while the retry is already in progress. */
    isLookDue: ({ context, event }) =>
      event.type === 'deadline' &&
      ((event.name === LOOK && looksAgainAt(context) !== undefined) || event.name === FORCE_DELETE),
    isCleanUpRefused: ({ event }) =>
      event.type === 'effectDone' && event.effect === 'cleanUp' && event.refused !== undefined,
    waitsForStuckPods: ({ context, event }) =>
      event.type === 'effectDone' && event.effect === 'cleanUp' && waitsAtTheEnd(context, event, event.at),
    hasRefusedCleanUp: ({ context }) => context.refusedCleanUp !== undefined,
    /** Between two tries of a refused clean-up. */
    isCleanUpWaiting: ({ context }) => context.refusedCleanUp?.nextTryAt !== undefined,
    isNewFinalDigest: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest({ ...context, digest: context.finalDigest ?? context.digest }, event.digest),
    wantsCheckpoint: ({ context }) => wantsCheckpoint(context),
    savesBeforeEviction: ({ context }) => savesBeforeEviction(context),
    savesBeforeDeparture: ({ context, event }) =>
      event.type === 'deadline' && event.name === NODE_LOST && savesBeforeDeparture(context, event.at),
    isSaved: ({ context }) => isCheckpointOver(context),
    isCheckpointOver: ({ context, event }) =>
      event.type === 'digest' &&
      isNewDigest(context, event.digest) &&
      isCheckpointOver(withDigest(context, event.digest)),
    isStopWithoutCheckpoint: ({ event }) => isStopWithoutCheckpoint(event),
    isStopDuringSignal: ({ context, event }) => isStopWithoutCheckpoint(event) && endsBySignal(context),
    /** Also one that a rule stops because something failed. */
    failsWithoutEvidence: ({ context: { outcome, ...others } }) =>
      (outcome?.phase === 'Failed' || outcome?.cause?.reason === 'StoppedByRule') &&
      needsCapture({ ...others, outcome }),
    /** The job failed by an expired deadline or a failed effect, which can happen in any state. */
    failsHeldWhileWorking: ({ context, event }) =>
      context.outcome?.phase === 'Failed' &&
      (event.type === 'deadline' || event.type === 'effectFailed') &&
      isHeldOnFailure(context),
    failsHeld: ({ context }) => context.outcome?.phase === 'Failed' && isHeldOnFailure(context),
  },
});
