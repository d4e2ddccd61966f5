import type { AvoidedNode } from '../../contracts/avoided-nodes.ts';
import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { PlannedRevision } from '../../contracts/job-revision.ts';
import type { RequestCause } from '../../contracts/ledger.ts';
import type { TakenPlace } from '../../contracts/spares.ts';
import type { Cause, FinalPhase } from '../../contracts/status.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';

/** Events that the machine receives. `at` is epoch milliseconds: the machine has no clock. */
export type JobEvent =
  | { readonly type: 'digest'; readonly digest: Digest; readonly at: number }
  | {
      readonly type: 'effectDone';
      readonly effect: Effect['type'];
      readonly resourceVersion: number;
      /** Evidence of failed pods that the effect captured or deleted. */
      readonly evidence?: readonly EvidenceSummary[];
      /** Deleted pods that still exist. */
      readonly stuckPods?: readonly StuckPod[];
      /** Why something could not be deleted. */
      readonly refused?: string;
      /** What was restored: the job on the anchor, or labels of its objects. */
      readonly restored?: string;
      /** The turn of the gated gang, or the time to take what the lane granted, was over: nothing was done. */
      readonly isTurnOver?: boolean;
      /** The gated gang has its nodes: nothing was deleted. */
      readonly isPlaced?: boolean;
      /** The attempt is not admitted any more: some of its pods were not created. */
      readonly isUnadmitted?: boolean;
      readonly at: number;
    }
  | {
      readonly type: 'effectFailed';
      readonly effect: Effect['type'];
      readonly cause: Cause;
      readonly at: number;
    }
  /** The API server refuses the effect for now: it is retried and stays in progress. */
  | {
      readonly type: 'effectRefused';
      readonly effect: Effect['type'];
      readonly cause: Cause;
      /** The policy limits the wait. */
      readonly isLimited: boolean;
      readonly at: number;
    }
  | { readonly type: 'deadline'; readonly name: string; readonly at: number }
  | (BySomebody & {
      readonly type: 'stop';
      readonly cause: Cause;
      /** Request a checkpoint first. */
      readonly checkpoint?: boolean;
      readonly at: number;
    })
  | (BySomebody & {
      readonly type: 'suspend';
      readonly cause: Cause;
      readonly at: number;
    })
  | (BySomebody & {
      readonly type: 'resume' | 'retryNow' | 'release';
      readonly cause: InterventionCause;
      readonly at: number;
    })
  | (BySomebody & {
      readonly type: 'extendDeadline' | 'hold';
      readonly seconds: number;
      readonly cause: InterventionCause;
      readonly at: number;
    })
  /** A request by signal that the job does not accept. It changes nothing but the timeline. */
  | (BySomebody & { readonly type: 'requestRefused'; readonly cause: InterventionCause; readonly at: number })
  /** The next revision: other sizes of roles, or another policy. */
  | (PlannedRevision &
      BySomebody & { readonly type: 'amend'; readonly cause: InterventionCause; readonly at: number });

/** The machine reads none of it. */
interface BySomebody {
  /** The name of the signal that brought the request, which is not checked yet. */
  readonly bySignal?: string;
  /** Who asked for what, and how: for the ledger. */
  readonly request?: RequestCause;
}

/** What was requested, by whom and why. It has no reason code, because it is not why the job is in a state. */
export type InterventionCause = Pick<Cause, 'message'>;

/** Commands of the machine, as data. The workflow runs them and answers with effectDone or effectFailed. */
export type Effect =
  /** Creates only the group: its scheduler must admit it before pods are created. */
  | { readonly type: 'createGroup'; readonly attempt: number }
  /** Takes a place in the lane of the job. `yieldsTo`: for whom the attempt before had to go. */
  | { readonly type: 'joinLane'; readonly attempt: number; readonly yieldsTo?: string }
  /** Without `roles`, creates every pod of the attempt. */
  | {
      readonly type: 'createAttempt';
      readonly attempt: number;
      readonly roles?: readonly string[];
      readonly avoid?: readonly AvoidedNode[];
      /** Of a gated gang after its first attempt: since when it waits for its turn, in epoch milliseconds. */
      readonly queuedSince?: number;
      /** Takes what the lane has granted, unless that is over: until when, in epoch milliseconds. */
      readonly grantedUntil?: number;
      readonly taken?: readonly TakenPlace[];
    }
  /** Lifts the gates of a gated gang, unless its turn is over. */
  | {
      readonly type: 'liftGates';
      readonly attempt: number;
      readonly until: number;
      readonly roles: readonly string[];
      readonly onQuota?: boolean;
    }
  /** Deletes every pod of a gated gang, unless enough of them have a node. */
  | {
      readonly type: 'rollBack';
      readonly attempt: number;
      readonly enough: number;
      readonly again?: boolean;
      readonly force?: boolean;
    }
  /** Creates pods of roles that wait for others. */
  | {
      readonly type: 'launch';
      readonly attempt: number;
      readonly roles: readonly string[];
      readonly succeededIndices: Readonly<Record<string, string>>;
      readonly avoid?: readonly AvoidedNode[];
    }
  /** Updates the host list. */
  | { readonly type: 'publishHostList'; readonly attempt: number; readonly hash: string }
  /** Creates deleted Services again. */
  | { readonly type: 'restoreServices'; readonly attempt: number; readonly names: readonly string[] }
  /** Makes and deletes spares, so that there are this many. */
  | {
      readonly type: 'keepSpares';
      readonly attempt: number;
      readonly count: number;
      readonly avoid?: readonly AvoidedNode[];
    }
  /**
   * Reports which deleted pods are left after a moment. `isLifted`: new members of the gang need no gate. `again`: pods were
   * left before. `force`: deletes pods past their grace period from the API server without waiting for their node. All mean
   * the same in the effects below.
   */
  | (Replacement & {
      readonly type: 'restorePods';
      readonly attempt: number;
      readonly succeededIndices: Readonly<Record<string, string>>;
      readonly asGang: boolean;
      readonly isLifted?: boolean;
      readonly roles?: readonly string[];
      /** Nodes that new pods avoid. */
      readonly avoid?: readonly AvoidedNode[];
      readonly again?: boolean;
      readonly force?: boolean;
      /** By role in lower case; absent for roles in their first incarnation. */
      readonly incarnations?: Readonly<Record<string, number>>;
    })
  /** Takes evidence of failed pods; without `pods`, of those that show most about a stalled job. */
  | { readonly type: 'capture'; readonly attempt: number; readonly pods?: readonly FailedPodIdentity[] }
  /** Deletes every pod of the attempt. */
  | {
      readonly type: 'drain';
      readonly attempt: number;
      /** Spares stay, but for those whose places are taken. */
      readonly keepsSpares?: boolean;
      readonly taken?: readonly TakenPlace[];
      readonly again?: boolean;
      readonly force?: boolean;
    }
  /**
   * Resizes the attempt: deletes excess pods, highest index first, and creates missing ones. Also does what is left of a
   * replacement of pods.
   */
  | ({
      readonly type: 'scale';
      readonly attempt: number;
      readonly succeededIndices: Readonly<Record<string, string>>;
      readonly asGang: boolean;
      readonly isLifted?: boolean;
      readonly roles?: readonly string[];
      readonly avoid?: readonly AvoidedNode[];
      readonly again?: boolean;
      readonly force?: boolean;
      readonly incarnations?: Readonly<Record<string, number>>;
    } & Partial<Replacement>)
  | { readonly type: 'requestCheckpoint'; readonly attempt: number }
  /** Retries a refused effect at once. */
  | { readonly type: 'tryAgain' }
  /** Removes the pods and their Services and group. */
  | { readonly type: 'suspend'; readonly again?: boolean; readonly force?: boolean }
  | {
      readonly type: 'cleanUp';
      readonly outcome: FinalPhase;
      readonly scope: CleanUpScope;
      /** Overrides the pods' own grace periods. */
      readonly graceSeconds?: number;
      readonly again?: boolean;
    };

/** Which pods are deleted, to be created again. */
export interface Replacement {
  /** Failed pods. */
  readonly replace: readonly FailedPodIdentity[];
  /**
   * More pods, if they have ended in an earlier incarnation than `incarnations`: indices as ranges, by role in lower
   * case.
   */
  readonly replaceAlso?: Readonly<Record<string, string>>;
  /** Pods that wait in the gang, to be created outside of it. */
  readonly leaveGang?: boolean;
  /** Waiting pods whose avoidance of a node ends by then; epoch milliseconds. */
  readonly avoidedUntil?: number;
  /** Roles in lower case: all their pods of earlier incarnations. */
  readonly restartRoles?: readonly string[];
  /** Spares whose places pods take. */
  readonly taken?: readonly TakenPlace[];
}

export interface FailedPodIdentity {
  readonly pod: string;
  readonly uid: string;
}
