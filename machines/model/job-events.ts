import type { Digest } from '../../contracts/digest.ts';
import type { PlannedRevision } from '../../contracts/job-revision.ts';
import type { RequestCause } from '../../contracts/ledger.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';
import type { Cause, EvidenceSummary, LedgerEntry } from '../../contracts/types.ts';
import type { Effect } from './effects.ts';

/** What became of an effect. */
export interface EffectOutcome {
  /** Resource version that a digest must have reached to include the changes. */
  readonly resourceVersion: number;
  /** Evidence of failed pods that were examined or deleted; at most 20. */
  readonly evidence?: readonly EvidenceSummary[];
  /** Pods that were asked to stop and still exist; at most 20, by name. */
  readonly stuckPods?: readonly StuckPod[];
  /** Why something could not be deleted. */
  readonly refused?: string;
  /** What was restored: the job on the anchor, or labels of its objects. */
  readonly restored?: string;
  /** Of pods that request GPUs and end now: how many have had which, by role in lower case and product. */
  readonly products?: LedgerEntry['products'];
  /** How far the attempt came whose pods go, as its log tells. */
  readonly steps?: LedgerEntry['steps'];
  /** What the API server warned of when it created objects: each once; at most 10, of at most 500 characters. */
  readonly warnings?: readonly string[];
  /** The turn of the gated gang, or the time to take what the lane granted, was over: nothing was done. */
  readonly isTurnOver?: boolean;
  /** The gated gang has its nodes: nothing was deleted. */
  readonly isPlaced?: boolean;
  /** The attempt is not admitted any more: some of its pods were not created. */
  readonly isUnadmitted?: boolean;
}

/** Events that the machine receives. `at` is epoch milliseconds: the machine has no clock. */
export type JobEvent =
  | { readonly type: 'digest'; readonly digest: Digest; readonly at: number }
  | ({
      readonly type: 'effectDone';
      readonly effect: Effect['type'];
      readonly at: number;
    } & EffectOutcome)
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
