import { assign, setup } from 'xstate';
import type { FinalPhase } from '../../contracts/status.ts';
import { assessed } from '../assess/assess.ts';
import {
  afterReplacing,
  beforeReplacing,
  createdAgain,
  drainingBegun,
  gotOn,
  isOfGang,
  startBackOff,
  startedAgain,
} from '../attempt/restart.ts';
import { resumed, suspended } from '../attempt/suspend.ts';
import { capturing, needsCapture, remembered } from '../failures/evidence.ts';
import { rosterDue } from '../gang/host-list.ts';
import { hasDissolved } from '../gang/incomplete-gang.ts';
import { resized } from '../gang/resize.ts';
import { withAmendment } from '../gang/scaling.ts';
import type { Assessment } from '../model/assessment.ts';
import { afterChange, isNews, withDigest } from '../model/digest-order.ts';
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
import { policyOf } from '../model/policy.ts';
import { withForceTimer, withoutTimers, withTimer } from '../model/timers.ts';
import { lostBy, withLossTimer } from '../nodes/lost-nodes.ts';
import { withAvoidanceTimer } from '../nodes/node-avoidance.ts';
import {
  awaitCheckpoint,
  endsBySignal,
  isImpatient,
  isWritten,
  wantsCheckpoint,
} from '../stopping/checkpoint.ts';
import { answered, endedBySignal, signalled, waived } from '../stopping/checkpoint-result.ts';
import { causeOfEnd } from '../stopping/end-cause.ts';
import { holdTime, isHeldOnFailure } from '../stopping/hold.ts';
import { withCleanUpRefusal } from '../stopping/refused-clean-up.ts';
import { haveGone, isWorthWaiting, withLeft, withoutLook } from '../stopping/stuck-pods.ts';
import { awaitReturn, notBack } from '../timeouts/recovery.ts';
import { withRefusal } from '../timeouts/refusals.ts';
import { isSilent, listenUntil, stallsAt, stallTrouble, withoutStall } from '../timeouts/stall.ts';
import { startUpTrouble } from '../timeouts/startup.ts';

/** A gang whose pods nobody has seen cannot be judged. */
const WAIT_LONGER_MS = 30_000;

/** What states have in common, beside their phase: no pods; waits for its next restart; held for somebody; the end is decided. */
export type StateTag = 'withoutPods' | 'waitsToRestart' | 'held' | 'ending';

/** What an action changes of the context; what that means for the job is decided at once. */
const change = <P = undefined>(changes: (told: Told, params: P) => Partial<JobContext>) =>
  assign<JobContext, JobEvent, P, JobEvent, never>((told, params) =>
    assessed({ ...told.context, ...changes(told, params) }),
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
    hear: change(({ context, event }) => {
      if (event.type !== 'digest') return context;
      const known = withDigest({ ...context, at: event.at }, event.digest, event.at);
      return withAvoidanceTimer(withLossTimer(gotOn(context, withoutStall(context, known))));
    }),
    noteRefusal: change(({ context, event }) =>
      event.type === 'effectRefused' ? withRefusal(context, event) : {},
    ),
    noteRoster: change(({ context }) => ({ roster: rosterDue(context) ?? context.roster })),
    launched: change(() => ({ launched: true })),
    /** For good: a failed member that somebody deletes is made again, and the others are outside already. */
    leaveGang: change(({ context }) => {
      const leaves = hasDissolved(context);
      return { leftGang: leaves, dissolved: leaves || undefined };
    }),
    suspend: change(({ context, event }) =>
      event.type === 'suspend' ? suspended(context, event.cause) : {},
    ),
    /** A job that was to be suspended is to go on before it is. */
    callOff: change(() => ({ suspension: undefined })),
    resume: change(({ context }) => resumed(context)),
    raiseBarrier: change(({ context, event }) =>
      event.type === 'effectDone' ? afterChange(context, event.revision) : {},
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
      context.deadlines[BACK_OFF] === undefined ? {} : { ...withoutTimers(context, BACK_OFF), hurried: true },
    ),
    beforeReplacing: change(({ context }) => beforeReplacing(context)),
    afterReplacing: change(({ context, event }) => afterReplacing(context, event.at)),
    beginDraining: change(({ context, event }) => drainingBegun(context, event.at)),
    noteLeft: change(({ context, event }) =>
      event.type === 'effectDone' ? { refusal: undefined, ...withLeft(context, event, event.at) } : {},
    ),
    noteCleanUpRefusal: change(({ context, event }) => {
      if (event.type === 'effectFailed') return withCleanUpRefusal(context, event.cause.message, event.at);
      return event.type === 'effectDone' ? withCleanUpRefusal(context, event.refused ?? '', event.at) : {};
    }),
    endLook: change(({ context }) => withoutTimers(context, LOOK)),
    /** Not as what is known of the job: its end is decided. */
    watchOn: change(({ event }) => (event.type === 'digest' ? { afterwards: event.digest } : {})),
    startForcing: change(({ context, event }) => withForceTimer(context, context, event.at)),
    forgetLeft: change(({ context }) => withoutLook(context)),
    startAgain: change(({ context }) => startedAgain(context)),
    startRecovery: change(({ context, event }) => createdAgain(context, event.at)),
    endForcing: change(({ context }) => ({ ...withoutTimers(context, FORCE_DELETE), restarting: undefined })),
    /** Pods that wait too long for their start, or a gang that does not come back. */
    startWaiting: change(({ context, event }) => {
      const after = policyOf(context).failures.startUpAfterMs;
      const others = withoutTimers(context, START_UP);
      return after === undefined ? others : withTimer(others, START_UP, event.at + after);
    }),
    failStart: change(({ context }) => ({
      ...withoutTimers(context, START_UP),
      trouble: startUpTrouble(context),
    })),
    endWaiting: change(({ context }) => withoutTimers(context, RECOVERY, START_UP)),
    giveUpWaiting: change(({ context }) => ({ ...withoutTimers(context, RECOVERY), ...notBack(context) })),
    waitLonger: change(({ context, event }) => withTimer(context, RECOVERY, event.at + WAIT_LONGER_MS)),
    run: change(({ context, event }) => {
      const rested = withoutTimers(context, RECOVERY, START_UP, STALL);
      const at = stallsAt(context, event.at);
      return at === undefined ? rested : withTimer(rested, STALL, at);
    }),
    listenOn: change(({ context, event }) => withTimer(context, STALL, stallsAt(context, 0) ?? event.at)),
    listenLonger: change(({ context, event }) => withTimer(context, STALL, listenUntil(context, event.at))),
    runNoMore: change(({ context, event }) => awaitReturn(context, event.at)),
    stall: change(({ context }) => ({ trouble: stallTrouble(context) })),
    lose: change(({ context, event }) =>
      withLossTimer({ ...context, at: event.at, lost: lostBy(context, event.at) }),
    ),
    endAvoidance: change(({ context }) => withoutTimers(context, AVOIDANCE)),
    settle: change(() => ({ trouble: undefined, released: undefined, hurried: undefined })),
    beginCapture: change(({ context }) => capturing(context)),
    remember: change(({ context, event }) =>
      remembered(context, event.type === 'effectDone' ? (event.evidence ?? []) : []),
    ),
    hold: change(({ context, event }) => {
      const ms = event.type === 'hold' ? event.seconds * 1000 : holdTime(context);
      return withTimer(context, HOLD, event.at + ms);
    }),
    wishHold: change(({ event }) => (event.type === 'hold' ? { holdMs: event.seconds * 1000 } : {})),
    release: change(({ context }) => ({ ...withoutTimers(context, HOLD), released: true })),
    hurry: change(() => ({ hurried: true })),
    amend: change(({ context, event }) =>
      event.type === 'amend' ? withLossTimer({ ...context, ...withAmendment(context, event.plan) }) : {},
    ),
    resize: change(({ context }) => resized(context)),
    awaitCheckpoint: change(({ context, event }) => awaitCheckpoint(context, event.at)),
    tellAnswer: change(({ context, event }) => answered(context, event)),
    signalCheckpoint: change(({ context, event }) => signalled(context, event)),
    waiveCheckpoint: change(({ context, event }) => waived(context, event)),
    tellSignalled: change(({ context, event }) => endedBySignal(context, event)),
    endTimers: change(() => ({ deadlines: {} })),
    end: change(({ context, event }, { phase }: { phase: FinalPhase }) => ({
      outcome: {
        phase,
        cause: causeOfEnd(context, event),
        ...(event.type === 'stop' && event.checkpoint ? { checkpoint: true } : {}),
      },
      deadlines: {},
    })),
  },
  guards: {
    assessedAs: ({ context }, { is }: { is: Assessment['is'] }) => context.assessment.is === is,
    isOver: ({ event }, { name }: { name: string }) => event.type === 'deadline' && event.name === name,
    isRefused: ({ context }) => context.refusals !== undefined,
    isRested: ({ context }) => context.deadlines[BACK_OFF] === undefined,
    isSuspended: ({ context }) => context.suspension !== undefined,
    isCalledOff: ({ context }) => context.suspension === undefined,
    isQueued: ({ context }) => context.queued === true,
    isAdmitted: ({ context }) => context.digest?.gang?.admitted === true,
    changesRoster: ({ context, event }) =>
      event.type === 'digest' &&
      isNews(context, event.digest) &&
      rosterDue(withDigest(context, event.digest)) !== undefined,
    /** And with it all that could be looked at. */
    isAnchorGone: ({ context, event }) =>
      event.type === 'digest' && event.digest.anchorDeleted && isNews(context, event.digest),
    isNews: ({ context, event }) => event.type === 'digest' && isNews(context, event.digest),
    /** Of an effect that was cancelled the end may still be told; it is not the end of what came after. */
    answers: ({ event }, { effect }: { effect: Effect['type'] }) =>
      'effect' in event && event.effect === effect,
    /** Pods are left that should be gone. */
    leavesPods: ({ event }, { effect }: { effect: Effect['type'] }) =>
      event.type === 'effectDone' && event.effect === effect && !!event.left?.length,
    isCleanedUp: ({ context, event }, { phase }: { phase: FinalPhase }) =>
      'effect' in event && event.effect === 'cleanUp' && context.outcome?.phase === phase,
    isEvidenceLate: ({ context, event }) =>
      event.type === 'deadline' && event.name === REFUSED && context.refusals?.capture !== undefined,
    needsCapture: ({ context }) => needsCapture(context),
    isHeldOnFailure: ({ context }) => isHeldOnFailure(context),
    isOfGang: ({ context }) => isOfGang(context),
    /** What was wrong has mended itself before anything was deleted. */
    isWell: ({ context }) => context.assessment.is === 'running' && context.trouble === undefined,
    /** Something newer than the last change is known. */
    isJudged: ({ context, event }) =>
      event.type === 'deadline' && event.name === RECOVERY && context.assessment.is !== 'undecided',
    /** The timer is older than what was heard since. */
    isGettingOn: ({ context, event }) =>
      event.type === 'deadline' && event.name === STALL && (stallsAt(context, 0) ?? 0) > event.at,
    /** Its silence says nothing: nobody has listened for so long. */
    isUnheard: ({ context, event }) =>
      event.type === 'deadline' && event.name === STALL && !isSilent(context),
    hasNotStarted: ({ context, event }) =>
      event.type === 'deadline' &&
      event.name === START_UP &&
      context.assessment.is !== 'undecided' &&
      startUpTrouble(context) !== undefined,
    haveGone: ({ context }) => haveGone(context),
    /** A timer may be older than the look that is under way. */
    isTimeToLook: ({ context, event }) =>
      event.type === 'deadline' &&
      ((event.name === LOOK && context.deadlines[LOOK] !== undefined) ||
        (event.name === FORCE_DELETE && policyOf(context).nodes.forceDeleteAfterMs !== undefined)),
    isCleanUpRefused: ({ event }) =>
      event.type === 'effectDone' && event.effect === 'cleanUp' && event.refused !== undefined,
    isWaitingForLeft: ({ context, event }) =>
      event.type === 'effectDone' && event.effect === 'cleanUp' && isWorthWaiting(context, event, event.at),
    /** In between nobody tries. */
    isHeldUp: ({ context }) => context.refusal !== undefined && context.deadlines[LOOK] !== undefined,
    isNewsAtTheEnd: ({ context, event }) =>
      event.type === 'digest' &&
      isNews({ ...context, digest: context.afterwards ?? context.digest }, event.digest),
    wantsCheckpoint: ({ context }) => wantsCheckpoint(context),
    isAcknowledged: ({ context, event }) =>
      event.type === 'digest' &&
      isNews(context, event.digest) &&
      isWritten(withDigest(context, event.digest)),
    isImpatient: ({ event }) => isImpatient(event),
    hurriesSignal: ({ context, event }) => isImpatient(event) && endsBySignal(context),
    failsUncaptured: ({ context }) => context.outcome?.phase === 'Failed' && needsCapture(context),
    /** Not by what a digest showed, but by a time that was over, or by what could not be done: in any state. */
    failsHeldInMidst: ({ context, event }) =>
      context.outcome?.phase === 'Failed' &&
      (event.type === 'deadline' || event.type === 'effectFailed') &&
      isHeldOnFailure(context),
    failsHeld: ({ context }) => context.outcome?.phase === 'Failed' && isHeldOnFailure(context),
  },
});
