import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Plan, RunPolicy } from '../../contracts/training-job.ts';
import type { Policy } from '../../contracts/types.ts';
import type { JobContext } from './job-context.ts';

/** Returns the job's own policy, or the defaults of the original operators. */
export const jobPolicy = (context: Pick<JobContext, 'plan' | 'amended'>): Policy =>
  ownPolicy(context) ?? DEFAULT_POLICY;

/** Returns the policy of the newest revision: rules are in effect at once, also those of an amendment whose sizes wait. */
export const ownPolicy = (job: Pick<JobContext, 'plan' | 'amended'>): Policy | undefined =>
  ownPlan(job).policy;

/** Returns limits and clean-up of the newest revision, which are in effect at once, too. */
export const runPolicyOf = (job: Pick<JobContext, 'plan' | 'amended'>): RunPolicy => ownPlan(job).runPolicy;

/** Returns the plan of the newest revision, of which sizes may wait. */
export const ownPlan = ({ plan, amended }: Pick<JobContext, 'plan' | 'amended'>): Plan =>
  amended?.plan ?? plan;

/** Returns how long the job may be active, in seconds; undefined without a limit. */
export function activeDeadlineOf(
  context: Pick<JobContext, 'plan' | 'amended' | 'extendedSeconds'>,
): number | undefined {
  const seconds = runPolicyOf(context).activeDeadlineSeconds;
  return seconds === undefined ? undefined : seconds + (context.extendedSeconds ?? 0);
}

/** Formats a policy rule for messages. */
export const policyRule = (path: string, value: unknown) => `signalbox.dev/policy ${path}: ${value}`;
