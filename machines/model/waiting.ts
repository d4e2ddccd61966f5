import type { StuckPod } from '../../contracts/stuck-pod.ts';
import type { Cause } from '../../contracts/types.ts';

/** An effect that the API server refuses at present and that is retried. */
export interface RefusedEffect {
  readonly cause: Cause;
  /** Since when for a reason of this kind, in epoch milliseconds. */
  readonly since: number;
  /** The wait has a limit. */
  readonly isLimited: boolean;
}

/** Why a job cannot be cleaned up: a deletion is refused. It is retried without limit. */
export interface RefusedCleanUp {
  readonly message: string;
  readonly since: number;
  /** Absent during a try. */
  readonly nextTryAt?: number;
}

/**
 * Deleted pods that outlast the activity that deleted them. The job then waits for them itself: it looks again when a
 * digest shows that they are gone, when their grace period is over, and at intervals.
 */
export interface TerminatingPods {
  readonly pods: readonly StuckPod[];
  /** When the first of them was reported. */
  readonly since: number;
  /** When the last of them should be gone. */
  readonly dueAt: number;
  /** Digests from this resource version of pods on list these pods as terminating while they exist. */
  readonly resourceVersion: number;
  /** Resource version of pods in the digest known at that time: only later digests count. */
  readonly seen: number;
  /** Absent while the job looks. */
  readonly nextLookAt?: number;
}
