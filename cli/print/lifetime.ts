import type { JobSummary } from '../../client/servers/summary.ts';
import { tookText } from './times.ts';

/** What says how long a job took, beside a status, whose own times are those of its pods. */
export interface Lifetime {
  /** RFC 3339. */
  readonly submittedAt?: string;
  /** When its workflow closed, RFC 3339; absent while it is open. */
  readonly closedAt?: string;
}

export const lifetimeOf = ({ startTime, endTime }: Pick<JobSummary, 'startTime' | 'endTime'>): Lifetime => ({
  submittedAt: startTime,
  ...(endTime === undefined ? {} : { closedAt: endTime }),
});

export const lifetimeText = ({ submittedAt, closedAt }: Lifetime): string =>
  tookText({ startTime: submittedAt, endTime: closedAt });
