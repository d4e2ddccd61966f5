import type { Digest } from '../contracts/digest.ts';
import type { EvidenceSummary } from '../contracts/evidence.ts';
import type { Cause, FinalPhase } from '../contracts/status.ts';
import type { Plan } from '../contracts/training-job.ts';

/** What the machine hears. `at` is epoch milliseconds: the machine has no clock. */
export type JobEvent =
  | { readonly type: 'digest'; readonly digest: Digest; readonly at: number }
  | {
      readonly type: 'effectDone';
      readonly effect: Effect['type'];
      readonly revision: number;
      /** Of failed pods that the effect looked at, or deleted. */
      readonly evidence?: readonly EvidenceSummary[];
      /** Pods that are still there although their grace period is over. */
      readonly left?: readonly Left[];
      readonly at: number;
    }
  | {
      readonly type: 'effectFailed';
      readonly effect: Effect['type'];
      readonly cause: Cause;
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

/** A pod that does not go. */
export interface Left {
  readonly pod: string;
  readonly node?: string;
}

/** What the machine wants done, as data; the workflow does it and answers with effectDone or effectFailed. */
export type Effect =
  /** The group alone: its scheduler must let it in before there are pods. */
  | { readonly type: 'createGroup'; readonly attempt: number }
  /** Without `roles` every pod of the attempt. */
  | {
      readonly type: 'createAttempt';
      readonly attempt: number;
      readonly roles?: readonly string[];
      readonly avoid?: readonly string[];
    }
  /** Pods of roles that come after others. */
  | {
      readonly type: 'launch';
      readonly attempt: number;
      readonly roles: readonly string[];
      readonly done: Readonly<Record<string, string>>;
      readonly avoid?: readonly string[];
    }
  /** Renews what lists the job's pods. */
  | { readonly type: 'publishRoster'; readonly attempt: number; readonly hash: string }
  /**
   * Waits until the pods that go are gone, or until some are left after their grace period; `patient`: however long it
   * takes; `force`: what is left then is removed from the API server without its node's word. So do those after it.
   */
  | {
      readonly type: 'restorePods';
      readonly attempt: number;
      /** Failed pods to delete first. */
      readonly replace: readonly PodIdentity[];
      readonly done: Readonly<Record<string, string>>;
      readonly asGang: boolean;
      /** Pods that wait in the gang are made again outside of it. */
      readonly leaveGang?: boolean;
      readonly roles?: readonly string[];
      /** Nodes that new pods keep away from. */
      readonly avoid?: readonly string[];
      readonly patient?: boolean;
      readonly force?: boolean;
      /** Roles, in lower case, of which every pod of an earlier life is deleted. */
      readonly restartRoles?: readonly string[];
      /** By role in lower case; absent for roles in their first. */
      readonly lives?: Readonly<Record<string, number>>;
    }
  /** Takes evidence of pods that failed; without `pods` of those that say most about a job that stalled. */
  | { readonly type: 'capture'; readonly attempt: number; readonly pods?: readonly PodIdentity[] }
  /** Deletes every pod of the attempt. */
  | {
      readonly type: 'drain';
      readonly attempt: number;
      readonly patient?: boolean;
      readonly force?: boolean;
    }
  /** Makes the attempt as large as the job is now: what is too much goes, highest index first; what is missing comes. */
  | {
      readonly type: 'scale';
      readonly attempt: number;
      readonly done: Readonly<Record<string, string>>;
      readonly asGang: boolean;
      readonly roles?: readonly string[];
      readonly avoid?: readonly string[];
      readonly patient?: boolean;
      readonly force?: boolean;
      readonly lives?: Readonly<Record<string, number>>;
    }
  | { readonly type: 'requestCheckpoint'; readonly attempt: number }
  /** Tells the watcher what to look out for. */
  | { readonly type: 'publishRules' }
  /** Removes the pods, and all that goes with them. */
  | { readonly type: 'suspend'; readonly patient?: boolean; readonly force?: boolean }
  | {
      readonly type: 'cleanUp';
      readonly outcome: FinalPhase;
      readonly scope: CleanUpScope;
      /** Instead of the pods' own. */
      readonly graceSeconds?: number;
    };

export interface PodIdentity {
  readonly pod: string;
  readonly uid: string;
}

/**
 * Which pods, with their Services, go at the end: every one, those not finished, or none. `Everything` is every one, and
 * what the job shared among them.
 */
export type CleanUpScope = 'Everything' | 'All' | 'Running' | 'None';
