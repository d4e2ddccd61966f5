import type { Digest } from '../contracts/digest.ts';
import type { Cause, FinalPhase } from '../contracts/status.ts';

/** What the machine hears. `at` is epoch milliseconds: the machine has no clock. */
export type JobEvent =
  | { readonly type: 'digest'; readonly digest: Digest; readonly at: number }
  | {
      readonly type: 'effectDone';
      readonly effect: Effect['type'];
      readonly revision: number;
      readonly at: number;
    }
  | {
      readonly type: 'effectFailed';
      readonly effect: Effect['type'];
      readonly cause: Cause;
      readonly at: number;
    }
  | { readonly type: 'deadline'; readonly name: string; readonly at: number }
  | { readonly type: 'stop'; readonly cause: Cause; readonly at: number }
  | { readonly type: 'suspend' | 'resume'; readonly cause: Cause; readonly at: number };

/** What the machine wants done, as data; the workflow does it and answers with effectDone or effectFailed. */
export type Effect =
  /** The group alone: its scheduler must let it in before there are pods. */
  | { readonly type: 'createGroup'; readonly attempt: number }
  /** Without `roles` every pod of the attempt. */
  | { readonly type: 'createAttempt'; readonly attempt: number; readonly roles?: readonly string[] }
  /** Pods of roles that come after others. */
  | {
      readonly type: 'launch';
      readonly attempt: number;
      readonly roles: readonly string[];
      readonly done: Readonly<Record<string, string>>;
    }
  /** Renews what lists the job's pods. */
  | { readonly type: 'publishRoster'; readonly attempt: number; readonly hash: string }
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
    }
  /** Removes the pods, and all that goes with them. */
  | { readonly type: 'suspend' }
  | { readonly type: 'cleanUp'; readonly outcome: FinalPhase; readonly scope: CleanUpScope };

export interface PodIdentity {
  readonly pod: string;
  readonly uid: string;
}

/**
 * Which pods, with their Services, go at the end: every one, those not finished, or none. `Everything` is every one, and
 * what the job shared among them.
 */
export type CleanUpScope = 'Everything' | 'All' | 'Running' | 'None';
