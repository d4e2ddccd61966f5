import type { AvoidedNode } from '../../contracts/avoided-nodes.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { RestartScope } from '../../contracts/policy.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import type { Cause, FinalPhase } from '../../contracts/status.ts';
import type { GangProvider, Plan } from '../../contracts/training-job.ts';
import type { Assessment } from './assessment.ts';
import type { Effect } from './job-events.ts';
import type { BackOff, Charges, LadderPosition, Restart } from './restart.ts';
import type { RefusedCleanUp, RefusedEffect, TerminatingPods } from './waiting.ts';

/** All that decisions are made from. Plain JSON: it is carried through continue-as-new as it is. */
export interface JobContext {
  readonly plan: Plan;
  /** When it heard of something last, in epoch milliseconds. */
  readonly at?: number;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  /** Pods are created only once the gang's scheduler has let the group in. */
  readonly queued?: boolean;
  /** From 1. */
  readonly attempt: number;
  /** The newest word of the watcher about this attempt. */
  readonly digest?: Digest;
  /** What all of this means for the job: set anew with every change, by `assessed`. */
  readonly assessment: Assessment;
  /**
   * A digest must have read the pods up to this resource version before anything is decided from it: an older one has
   * not seen what was created or deleted last.
   */
  readonly minRevision: number;
  /** Indices that have succeeded, as ranges, by role in lower case; remembered when their pods are gone. */
  readonly succeededIndices: Readonly<Record<string, string>>;
  readonly restarts: Restarts;
  readonly backOff?: BackOff;
  /** Restarts charged to classes of failures that have a budget. */
  readonly charges?: Charges;
  /** Restarts that backoffLimit does not count. */
  readonly exempt?: number;
  readonly ladder?: LadderPosition;
  /** Restarts in place that were made before the ladder was climbed last. */
  readonly forgottenInPlace?: number;
  /** What is wrong beside failed and missing pods: a time is over. */
  readonly trouble?: JobTrouble;
  /** What starts again, while the pods of it go. */
  readonly restarting?: Restarting;
  /** Uids of pods whose node was in trouble for too long. */
  readonly lost?: readonly string[];
  readonly avoided?: readonly AvoidedNode[];
  /** Pods, by uid, of which there is evidence, with the rules of the policy whose pattern was found in it. */
  readonly captured?: Readonly<Record<string, readonly number[]>>;
  /** Those of which it is being taken. */
  readonly capturing?: readonly string[];
  /** How far it had got at most before its last restart. */
  readonly bestProgress?: number;
  readonly progress?: { readonly value: string; readonly count: number; readonly at: number };
  /** Instead of the policy's holdOnFailure. */
  readonly holdMs?: number;
  /** The failed pods need not be kept any longer. */
  readonly released?: boolean;
  /** Somebody wants the next restart without its back-off. */
  readonly skipsBackOff?: boolean;
  /** How often roles were started again by themselves in this attempt, or many of their pods at once, by role in lower case. */
  readonly incarnations?: Readonly<Record<string, number>>;
  /** Sizes that were asked for and are not in effect yet. */
  readonly amended?: Plan;
  /** Pods that were told to end, and are waited for. */
  readonly terminating?: TerminatingPods;
  /** The newest word of the watcher since the job is cleaned up. */
  readonly finalDigest?: Digest;
  /** Why the job cannot be cleaned up. */
  readonly refusedCleanUp?: RefusedCleanUp;
  /** Why the job has no pods, and shall have none. */
  readonly suspension?: Cause;
  /** The pods of roles that come after others have been created. */
  readonly launched?: boolean;
  /** What is made from now on is placed by itself, and nobody is left in the gang who waits. */
  readonly isOutsideGang?: boolean;
  /** Its group can never be complete again: the job was made smaller than it, or members have ended. */
  readonly isGangBroken?: boolean;
  /** Hash of the list of pods that was published last. */
  readonly publishedHostList?: string;
  /** What the API server refuses at the moment, by the effect that it is part of. */
  readonly refusedEffects?: Readonly<Record<string, RefusedEffect>>;
  /** Epoch milliseconds by name. */
  readonly deadlines: Readonly<Record<string, number>>;
  readonly outcome?: {
    readonly phase: FinalPhase;
    readonly cause?: Cause;
    /** Whoever stopped it wants a checkpoint first. */
    readonly checkpoint?: boolean;
    /** Since when its pods have had a signal to write one, in epoch milliseconds. */
    readonly signalledAt?: number;
  };
}

export interface Restarting {
  readonly scope: RestartScope;
  readonly why: string;
  /** What was decided when it began; undefined where nothing is charged. */
  readonly restart?: Restart;
  /** How long the next attempt has to run again. */
  readonly withinMs?: number;
  /** What is being done, where single pods or roles start again. */
  readonly effect?: Effect;
}

/** A failure that no pod shows. */
export interface JobTrouble {
  readonly class: string;
  readonly reason: ReasonCode;
  readonly message: string;
  readonly rule: string;
  readonly pod?: string;
  /** What has to start again at least. */
  readonly least: RestartScope;
  /** Evidence was taken. */
  readonly captured?: boolean;
}

export interface Restarts {
  /** Pods made again. */
  readonly replaced: number;
  /** Of containers in place, of pods that are gone. */
  readonly earlier: number;
  /** Of containers in place, of the pods there are. */
  readonly present: number;
}

export interface JobInput {
  readonly plan: Plan;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly queued?: boolean;
}

/** Names of deadlines. */
export const ACTIVE_DEADLINE = 'activeDeadline';
export const BACK_OFF = 'backOff';
export const RECOVERY = 'recovery';
export const START_UP = 'startUp';
export const STALL = 'stall';
export const NODE_LOST = 'nodeLost';
export const AVOIDANCE = 'avoidance';
export const FORCE_DELETE = 'forceDelete';
export const LOOK = 'look';
export const HOLD = 'hold';
export const CHECKPOINT = 'checkpoint';
export const REFUSED = 'refused';

export function initialContext(input: JobInput): JobContext {
  return {
    plan: input.plan,
    anchorUid: input.anchorUid,
    gang: input.gang,
    queued: input.queued,
    attempt: 1,
    minRevision: 0,
    succeededIndices: {},
    restarts: { replaced: 0, earlier: 0, present: 0 },
    deadlines: {},
    assessment: { is: 'undecided' },
    ...(input.plan.runPolicy.suspend ? { suspension: SUSPENDED_AT_BIRTH } : {}),
  };
}

const SUSPENDED_AT_BIRTH: Cause = { reason: 'Suspended', message: 'spec.runPolicy.suspend: true' };

export const countInPlace = ({ earlier, present }: Restarts) => earlier + present;

export const countRestarts = (restarts: Restarts) => restarts.replaced + countInPlace(restarts);
