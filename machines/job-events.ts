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
  | { readonly type: 'stop'; readonly cause: Cause; readonly at: number };

/** What the machine wants done, as data; the workflow does it and answers with effectDone or effectFailed. */
export type Effect =
  | { readonly type: 'createAttempt'; readonly attempt: number }
  | {
      readonly type: 'restorePods';
      readonly attempt: number;
      /** Failed pods to delete first. */
      readonly replace: readonly PodIdentity[];
      readonly done: Readonly<Record<string, string>>;
      readonly asGang: boolean;
    }
  | { readonly type: 'cleanUp'; readonly outcome: FinalPhase; readonly scope: CleanUpScope };

export interface PodIdentity {
  readonly pod: string;
  readonly uid: string;
}

/** Which pods, with their Services, go at the end: every one, those not finished, or none. */
export type CleanUpScope = 'All' | 'Running' | 'None';
