import type { LeftPod } from '../../contracts/left-pod.ts';
import type { Cause } from '../../contracts/status.ts';

/** What the API server refuses at the moment; it is tried again all the time. */
export interface RefusedEffect {
  readonly cause: Cause;
  /** Since when for a reason of this kind, in epoch milliseconds. */
  readonly since: number;
  /** Until when it is waited for; without it as long as it takes. */
  readonly until?: number;
}

/** Why a job cannot be cleaned up: something may not be deleted. It is tried again for as long as it takes. */
export interface RefusedCleanUp {
  readonly message: string;
  readonly since: number;
}

/**
 * Pods that were told to end, and take longer than the activity waits that told them. From then on the job waits for
 * them: it looks again when a digest shows that they are gone, when their time is over, and now and then.
 */
export interface TerminatingPods {
  readonly pods: readonly LeftPod[];
  /** When it was first told of any. */
  readonly since: number;
  /** When the last of them should have gone. */
  readonly dueAt: number;
  /** A digest that has read the pods up to here shows them as pods that leave, as long as they are there. */
  readonly revision: number;
  /** What the digest had read that was known then: only a later one says anything new. */
  readonly seen: number;
}
