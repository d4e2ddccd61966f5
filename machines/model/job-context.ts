import type { AvoidedNode } from '../../contracts/avoided-nodes.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { JobRevision, PlannedRevision } from '../../contracts/job-revision.ts';
import type { RestartScope } from '../../contracts/policy.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import type { TakenPlace } from '../../contracts/spares.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import type { SurvivorGrace } from '../../contracts/survivors.ts';
import type { GangProvider, GateName, Plan } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import type { Assessment } from './assessment.ts';
import type { Effect } from './effects.ts';
import type { BackOffState, Charges, LadderPosition, Restart, UnpacedRestart } from './restart.ts';
import { runPolicyRule } from './run-policy-rule.ts';
import type { RefusedCleanUp, RefusedEffect, TerminatingPods } from './waiting.ts';

/**
 * Everything that decisions are made from. Plain JSON: continue-as-new carries it as it is.
 *
 * What is known of the present attempt stands apart: a new attempt starts with a fresh `AttemptState` (new-attempt.ts).
 */
export interface JobContext extends LastingState, AttemptState {}

/** What outlives an attempt. */
interface LastingState {
  /** The part of the present revision that decisions need. */
  readonly plan: Plan;
  /** The revision of the job that effects use. */
  readonly revision: JobRevision;
  /** When the last event came, in epoch milliseconds. */
  readonly at: number;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  /** What must open before pods are created. */
  readonly gate?: GateName;
  /** The job has what its lane granted. */
  readonly holdsPlace?: true;
  /** For whom it has given that back: uid of an anchor. */
  readonly yieldsTo?: string;
  /** From 1. */
  readonly attempt: number;
  /** What the rest of the context means for the job. Nothing else decides that; see `withAssessment`. */
  readonly assessment: Assessment;
  /**
   * A digest must have read the pods up to this resource version before it decides anything: an older one has not seen
   * what was created or deleted last.
   */
  readonly minResourceVersion: number;
  readonly restarts: Restarts;
  readonly backOff?: BackOffState;
  /** Since the job last ran. */
  readonly unpaced?: UnpacedRestart;
  /** Restarts charged to failure classes that have a budget. */
  readonly charges?: Charges;
  /** Restarts that backoffLimit does not count. */
  readonly exempt?: number;
  /** Restarts of the gang and of roles by rules of the manifest that have a limit, by rule. */
  readonly followed?: Readonly<Record<string, number>>;
  readonly ladder?: LadderPosition;
  /** How often in a row the gang was rolled back. */
  readonly rollBacks?: number;
  /** Restarts in place before the ladder moved to its present rung. */
  readonly forgottenInPlace?: number;
  readonly avoided?: readonly AvoidedNode[];
  /** How many attempts left pods behind on silent nodes. The ranks of each later one meet elsewhere. */
  readonly leftBehind?: number;
  /** What was done last about spares. */
  readonly spares?: Spares;
  /** Since when a job with spares does not run, in epoch milliseconds; absent once it runs again. */
  readonly lostAt?: number;
  /** Places of spares that pods took since then. */
  readonly taken?: readonly TakenPlace[];
  /** For how long pods had their nodes so far, by role in lower case. */
  readonly placed?: Readonly<Record<string, PlacedTimes>>;
  /** The furthest progress before the last restart. */
  readonly bestProgress?: number;
  /** When the watcher found the missing Services that were created again last: `Digest.missingServices`. */
  readonly servicesRestored?: number;
  /** Added to the manifest's activeDeadlineSeconds. */
  readonly extendedSeconds?: number;
  /** Overrides the policy's holdOnFailure. */
  readonly holdMs?: number;
  /** A revision with other sizes, which are not in effect yet; its policy is. */
  readonly amended?: PlannedRevision;
  /** The newest digest since the clean-up began. */
  readonly finalDigest?: Digest;
  /** Why the job cannot be cleaned up. */
  readonly refusedCleanUp?: RefusedCleanUp;
  /** Why the job has no pods, and is to have none. */
  readonly suspension?: Cause;
  /** It has begun suspended, and was not resumed yet. */
  readonly isUnstarted?: true;
  /** What the API server refuses at the moment, by effect. */
  readonly refusedEffects?: Readonly<Record<string, RefusedEffect>>;
  /** When the objects of the job were created first, or first since it was resumed; in epoch milliseconds. */
  readonly activeSince?: number;
  readonly outcome?: {
    readonly phase: FinalPhase;
    readonly cause?: Cause;
    /** The stop request asked for a checkpoint. */
    readonly checkpoint?: boolean;
    /** When the job was asked for one by a file, in epoch milliseconds. */
    readonly checkpointAskedAt?: number;
    /** When its pods got the signal to write one, in epoch milliseconds. */
    readonly signalledAt?: number;
  };
}

/** What is known of the present attempt. Deadlines are derived from its times, which are epoch milliseconds. */
export interface AttemptState {
  /** The watcher's newest digest of this attempt. */
  readonly digest?: Digest;
  /** When the digest arrived, in epoch milliseconds. */
  readonly digestAt?: number;
  /** Replicas that have succeeded, as index ranges by role in lower case; kept when their pods are gone. */
  readonly succeededIndices: Readonly<Record<string, string>>;
  /** A failure that no pod shows: a time limit passed. */
  readonly trouble?: JobTrouble;
  /** What restarts, while its pods are being deleted. */
  readonly restarting?: Restarting;
  /** Uids of pods whose node was unhealthy for too long. */
  readonly lost?: readonly string[];
  /** Pods leave their nodes once a checkpoint is written. */
  readonly departure?: Departure;
  /** Pods were told to stop whose nodes are silent. */
  readonly isUnanswered?: true;
  /** Failures, by `evidenceKeyOf`, whose evidence was taken, perhaps before a digest has them; with the policy rules whose pattern it matched. */
  readonly captured?: Readonly<Record<string, readonly number[]>>;
  /** Failures whose evidence is being collected, by `evidenceKeyOf`. */
  readonly capturing?: readonly string[];
  /** Restarts in place that were charged to classes, by uid of the pod. */
  readonly chargedInPlace?: Readonly<Record<string, number>>;
  /** Restarts of pods by rules of the manifest that have a limit, by rule. */
  readonly followedByPods?: Readonly<Record<string, number>>;
  readonly progress?: KnownProgress;
  /** The failed pods need not be kept any longer. */
  readonly released?: boolean;
  /** A request skips the back-off of the next restart. */
  readonly skipsBackOff?: boolean;
  /** When the next restart may begin; absent without a back-off, and when it is over. */
  readonly backsOffUntil?: number;
  /** The wait for restarted pods; absent once all pods are ready. */
  readonly recovery?: Recovery;
  /**
   * Since when pods have their time to start: since they were created, or since that time passed without anything
   * wrong. Absent once all pods have been ready.
   */
  readonly startingSince?: number;
  /** Since when a running job is silent, as far as it was known when it began to run, or when the limit passed last. */
  readonly silentSince?: number;
  /** When it is judged that the job makes no steps, while the watcher tells so. */
  readonly hangJudgedAt?: number;
  /** Since when the watcher follows the program by the present rules, if they were amended. */
  readonly followedSince?: number;
  /** When pods were last told to stop. */
  readonly deletingSince?: number;
  /** Since when failed pods are held, and for how long if a request said so. */
  readonly held?: { readonly since: number; readonly ms?: number };
  /** How often a role, or many of its pods at once, restarted in this attempt; by role in lower case. */
  readonly incarnations?: Readonly<Record<string, number>>;
  /** Pods that were told to stop and have not gone yet. */
  readonly terminating?: TerminatingPods;
  /** The pods of all roles that wait for others have been created. */
  readonly launched?: boolean;
  /** Until then, the roles of these whose pods have been; and those whose pods are being created. */
  readonly launchedRoles?: readonly string[];
  readonly launching?: readonly string[];
  /** New pods are scheduled outside of the gang, and no pod of the gang waits any more. */
  readonly isOutsideGang?: boolean;
  /** The group can never be complete again: the job was made smaller than it, or members have ended. */
  readonly isGangBroken?: boolean;
  /** Size of a group that did not follow the job's. */
  readonly groupSize?: number;
  /** The lift of the gates of a gated gang; absent while they hold. */
  readonly lift?: Lift;
  /** Since when the attempt waits for its nodes; absent once the gang has had them. */
  readonly waitsSince?: number;
  /** Why the pods go before the gang had its nodes. */
  readonly rollBack?: Cause;
  /** Why its queue takes the job's place, while it gives that back. */
  readonly eviction?: Eviction;
  /** The turn of the gated gang that has passed unused. */
  readonly passedTurn?: number;
  /** What the lane had granted and nobody took in time. */
  readonly passedGrant?: number;
  /** Hash of the host list that was published last. */
  readonly publishedHostList?: string;
}

/** The last progress that the program reported, in this attempt. */
export interface KnownProgress {
  readonly value: string;
  readonly count: number;
  /** When it was counted here. */
  readonly at: number;
  /** When the program reported it, by the clock of the workflow; absent in jobs that counted it before this was told. */
  readonly reportedAt?: number;
}

/** For how many milliseconds pods of a role had a node, summed over its pods; and spares that are like them. */
export interface PlacedTimes {
  readonly pods: number;
  readonly spares: number;
}

interface Spares {
  /** Spares are being made or deleted. */
  readonly isBusy?: boolean;
  /** The revision that they are made for. */
  readonly revision?: number;
  /** A digest shows them from this resource version on. */
  readonly resourceVersion?: number;
  /** When they may be made again, in epoch milliseconds. */
  readonly nextAt?: number;
  /** Why some could not be made. */
  readonly refusal?: string;
}

interface Eviction {
  readonly cause: Cause;
  /** When the job was asked for a checkpoint, in epoch milliseconds. */
  readonly checkpointAskedAt?: number;
}

interface Departure {
  /** Of the pods that leave. */
  readonly uids: readonly string[];
  readonly reason: Extract<ReasonCode, 'NodeSick' | 'NodeLeaving'>;
  readonly why: string;
  /** When the checkpoint must be written, in epoch milliseconds. */
  readonly until: number;
  /** It was asked for. */
  readonly isAsked?: true;
  /** How the wait for it ended. */
  readonly answer?: string;
}

interface Lift {
  /** `GateLift.until`, which identifies the turn. */
  readonly turn: number;
  /** When it began, in epoch milliseconds. */
  readonly at: number;
  /** When the gang must have its nodes; absent once it has them, or is rolled back. */
  readonly bindsUntil?: number;
  /** There was no room for it: until its first pod has a node it may wait for new ones. */
  readonly onQuota?: 'unplaced' | 'placing';
}

/** Restarted pods have to be ready in time. The limit is that of the rung that was chosen then. */
interface Recovery {
  readonly since: number;
  readonly withinMs: number;
  /** When the time had passed and no digest had shown the new pods yet. */
  readonly unseenAt?: number;
}

interface Restarting {
  readonly scope: RestartScope;
  readonly why: string;
  /** The rules that decided. */
  readonly rule?: string;
  /** What was decided when it began; undefined where nothing is charged. */
  readonly restart?: Restart;
  /** What a restart of the gang was charged to when it began. */
  readonly charges?: Charges;
  /** How long the next attempt has to run again. */
  readonly withinMs?: number;
  /** What is being done, where single pods or roles start again. */
  readonly effect?: Effect;
  /** Places of spares that pods of the next attempt take. */
  readonly taken?: readonly TakenPlace[];
  /** Of the gang's pods that have not failed. */
  readonly survivors?: SurvivorGrace;
}

/** A failure that no pod shows. */
export interface JobTrouble {
  readonly class: string;
  readonly reason: ReasonCode;
  readonly message: string;
  readonly rule: string;
  /** Where it shows, as far as known, and Kubernetes' reason. */
  readonly pod?: string;
  readonly node?: string;
  readonly podReason?: string;
  /** What has to start again at least. */
  readonly least: RestartScope;
  /** Evidence was taken. */
  readonly captured?: boolean;
}

interface Restarts {
  /** Pods that were recreated. */
  readonly replaced: number;
  /** Of containers in place, of pods that are gone. */
  readonly earlier: number;
  /** Of containers in place, of the pods there are. */
  readonly present: number;
}

export interface JobInput extends PlannedRevision {
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly gate?: GateName;
  /** When the job begins, in epoch milliseconds. */
  readonly at: number;
  /** The first start of a job that begins suspended is attempt 1; absent for jobs that began when it was 2. */
  readonly countsStarts?: true;
}

/** Names of deadlines. */
export const ACTIVE_DEADLINE = 'activeDeadline';
export const BACK_OFF = 'backOff';
export const RECOVERY = 'recovery';
export const START_UP = 'startUp';
export const STALL = 'stall';
export const BIND = 'bind';
export const PLACEMENT = 'placement';
export const NODE_LOST = 'nodeLost';
export const SPARES = 'spares';
export const AVOIDANCE = 'avoidance';
export const FORCE_DELETE = 'forceDelete';
export const LOOK = 'look';
export const HOLD = 'hold';
export const CHECKPOINT = 'checkpoint';
export const REFUSED = 'refused';

export function initialContext(input: JobInput): JobContext {
  return {
    plan: input.plan,
    revision: input.revision,
    at: input.at,
    anchorUid: input.anchorUid,
    gang: input.gang,
    gate: input.gate,
    attempt: 1,
    minResourceVersion: 0,
    succeededIndices: {},
    restarts: { replaced: 0, earlier: 0, present: 0 },
    assessment: { is: 'undecided' },
    ...(input.plan.runPolicy.suspend ? bornSuspended(input) : {}),
  };
}

const bornSuspended = ({ countsStarts, plan }: JobInput) => ({
  suspension: { reason: 'Suspended', message: runPolicyRule(plan, 'suspend', true) } as const,
  ...(countsStarts ? { isUnstarted: true as const } : {}),
});

export const countInPlace = ({ earlier, present }: Restarts) => earlier + present;

export const countRestarts = (restarts: Restarts) => restarts.replaced + countInPlace(restarts);
