import type { ReasonCode } from './reasons.ts';

/** Type of an activity's failure by a refusal that may pass; its first detail is a `PassingRefusal`. */
export const REFUSED_FOR_NOW = 'RefusedForNow';

/** What the API server refuses now, and may take later: a quota is freed, a right is granted, a webhook comes back. */
export interface PassingRefusal {
  /** Why, as the job's cause tells it while it waits. */
  readonly reason: ReasonCode;
  /** The API server's own words. */
  readonly said: string;
  /** The policy limits how long it is waited for. An API server that does not answer at all is waited for without limit. */
  readonly isLimited: boolean;
  /** What the server asked for before the next try. */
  readonly retryAfterMs?: number;
  /** The job's own limit, where the workflow does not know the policy yet. */
  readonly limitMs?: number;
}
