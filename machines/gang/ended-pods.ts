import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import { countDone } from '../model/role-counts.ts';

/**
 * Counts the replicas of an attempt that have ended for good, so that others may have their quota. None where the policy may
 * restart a whole role: that makes them anew in the same attempt, without asking for quota again.
 */
export function countEnded(context: JobContext): number {
  const { ladder } = jobPolicy(context).restart;
  if (ladder.some(({ scope }) => scope === 'role')) return 0;
  return context.plan.roles.reduce((sum, role) => sum + countDone(context, role), 0);
}
