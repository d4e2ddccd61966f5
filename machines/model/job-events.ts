import type { AvoidedNode } from '../../contracts/avoided-nodes.ts';
import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { LeftPod } from '../../contracts/left-pod.ts';
import type { Cause, FinalPhase } from '../../contracts/status.ts';
import type { Plan } from '../../contracts/training-job.ts';

/** What the machine hears. `at` is epoch milliseconds: the machine has no clock. */
export type JobEvent =
  | { readonly type: 'digest'; readonly digest: Digest; readonly at: number }
  | {
      readonly type: 'effectDone';
      readonly effect: Effect['type'];
      readonly revision: number;
      /** Of failed pods that the effect looked at, or deleted. */
      readonly evidence?: readonly EvidenceSummary[];
      /** Pods that were told to end and are still there. */
      readonly left?: readonly LeftPod[];
      /** Why something could not be deleted. */
      readonly refused?: string;
      readonly at: number;
    }
  | {
      readonly type: 'effectFailed';
      readonly effect: Effect['type'];
      readonly cause: Cause;
      readonly at: number;
    }
  /** The API server refuses it for now: it is tried again, and is still under way. */
  | {
      readonly type: 'effectRefused';
      readonly effect: Effect['type'];
      readonly cause: Cause;
      /** The policy limits how long it is waited for. */
      readonly isLimited: boolean;
      readonly at: number;
    }
  | { readonly type: 'deadline'; readonly name: string; readonly at: number }
  | {
      readonly type: 'stop';
      readonly cause: Cause;
      /** Ask for a checkpoint first. */
      readonly checkpoint?: boolean;
      readonly at: number;
    }
  | {
      readonly type: 'suspend' | 'resume' | 'retryNow' | 'release';
      readonly cause: Cause;
      readonly at: number;
    }
  | {
      readonly type: 'extendDeadline' | 'hold';
      readonly seconds: number;
      readonly cause: Cause;
      readonly at: number;
    }
  /** Sizes of roles, or the policy, are others from now on. */
  | { readonly type: 'amend'; readonly plan: Plan; readonly cause: Cause; readonly at: number };

/** What the machine wants done, as data; the workflow does it and answers with effectDone or effectFailed. */
export type Effect =
  /** The group alone: its scheduler must let it in before there are pods. */
  | { readonly type: 'createGroup'; readonly attempt: number }
  /** Without `roles` every pod of the attempt. */
  | {
      readonly type: 'createAttempt';
      readonly attempt: number;
      readonly roles?: readonly string[];
      readonly avoid?: readonly AvoidedNode[];
    }
  /** Pods of roles that come after others. */
  | {
      readonly type: 'launch';
      readonly attempt: number;
      readonly roles: readonly string[];
      readonly succeededIndices: Readonly<Record<string, string>>;
      readonly avoid?: readonly AvoidedNode[];
    }
  /** Renews what lists the job's pods. */
  | { readonly type: 'publishHostList'; readonly attempt: number; readonly hash: string }
  /**
   * Tells which of the pods that go are left after a moment; `again`: it was told before that some are; `force`: what is
   * left after its grace period is removed from the API server without its node's word. So do those after it.
   */
  | {
      readonly type: 'restorePods';
      readonly attempt: number;
      /** Failed pods to delete first. */
      readonly replace: readonly FailedPodIdentity[];
      /** Beside these, if they have ended in an earlier incarnation than `incarnations` says: indices as ranges, by role in lower case. */
      readonly replaceAlso?: Readonly<Record<string, string>>;
      readonly succeededIndices: Readonly<Record<string, string>>;
      readonly asGang: boolean;
      /** Pods that wait in the gang are made again outside of it. */
      readonly leaveGang?: boolean;
      /** Pods that wait, and keep away from a node until then at most, are made again; epoch milliseconds. */
      readonly avoidedUntil?: number;
      readonly roles?: readonly string[];
      /** Nodes that new pods keep away from. */
      readonly avoid?: readonly AvoidedNode[];
      readonly again?: boolean;
      readonly force?: boolean;
      /** Roles, in lower case, of which every pod of an earlier incarnation is deleted. */
      readonly restartRoles?: readonly string[];
      /** By role in lower case; absent for roles in their first. */
      readonly incarnations?: Readonly<Record<string, number>>;
    }
  /** Takes evidence of pods that failed; without `pods` of those that say most about a job that stalled. */
  | { readonly type: 'capture'; readonly attempt: number; readonly pods?: readonly FailedPodIdentity[] }
  /** Deletes every pod of the attempt. */
  | {
      readonly type: 'drain';
      readonly attempt: number;
      readonly again?: boolean;
      readonly force?: boolean;
    }
  /** Makes the attempt as large as the job is now: what is too much goes, highest index first; what is missing comes. */
  | {
      readonly type: 'scale';
      readonly attempt: number;
      readonly succeededIndices: Readonly<Record<string, string>>;
      readonly asGang: boolean;
      readonly roles?: readonly string[];
      readonly avoid?: readonly AvoidedNode[];
      readonly again?: boolean;
      readonly force?: boolean;
      readonly incarnations?: Readonly<Record<string, number>>;
    }
  | { readonly type: 'requestCheckpoint'; readonly attempt: number }
  /** Tells the watcher what to look out for. */
  | { readonly type: 'publishRules' }
  /** What was refused is tried again at once. */
  | { readonly type: 'tryAgain' }
  /** Removes the pods, and all that goes with them. */
  | { readonly type: 'suspend'; readonly again?: boolean; readonly force?: boolean }
  | {
      readonly type: 'cleanUp';
      readonly outcome: FinalPhase;
      readonly scope: CleanUpScope;
      /** Instead of the pods' own. */
      readonly graceSeconds?: number;
      readonly again?: boolean;
    };

export interface FailedPodIdentity {
  readonly pod: string;
  readonly uid: string;
}
