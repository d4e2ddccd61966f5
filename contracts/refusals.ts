import type { ReasonCode } from './reasons.ts';
import type { Cause } from './types.ts';

/** Failure type of an activity that met a temporary refusal. Its first detail is a `PassingRefusal`. */
export const REFUSED_FOR_NOW = 'RefusedForNow';

/** A refusal of the API server that may pass: a quota is freed, a right is granted, a webhook becomes available. */
export interface PassingRefusal {
  /** Reason of the job's cause while it waits. */
  readonly reason: ReasonCode;
  /** Message of the API server. */
  readonly message: string;
  /** The policy limits how long the job waits. Waiting for an API server that does not answer has no limit. */
  readonly isLimited: boolean;
  /** Delay that the server requested before a retry. */
  readonly retryAfterMs?: number;
  /** The job's own limit, set if the workflow does not know the policy yet. */
  readonly limitMs?: number;
}

/** All reasons of a `PassingRefusal` but that of an API server that does not answer: nobody could read it there. */
const REFUSALS: ReadonlySet<string> = new Set<ReasonCode>([
  ...(['QuotaExceeded', 'Forbidden', 'NamespaceMissing', 'NamespaceTerminating'] as const),
  ...(['DependencyMissing', 'WebhookUnavailable', 'LaneFaulty', 'NeverFits'] as const),
]);

/** Returns the cause of a job that waits until the cluster accepts what it refuses for now, or never can as it is. */
export const refusedCause = ({ cause }: { readonly cause?: Cause }): Cause | undefined =>
  cause && REFUSALS.has(cause.reason) ? cause : undefined;
