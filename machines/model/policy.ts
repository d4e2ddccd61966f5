import { DEFAULT_POLICY, type Policy } from '../../contracts/policy.ts';
import type { RunPolicy } from '../../contracts/training-job.ts';
import type { JobContext } from './job-context.ts';

/** Returns the job's own policy, or the defaults of the original operators. */
export const jobPolicy = (context: Pick<JobContext, 'plan' | 'amended'>): Policy =>
  ownPolicy(context) ?? DEFAULT_POLICY;

/** Returns the policy of the newest revision: rules are in effect at once, also those of an amendment whose sizes wait. */
export const ownPolicy = ({ plan, amended }: Pick<JobContext, 'plan' | 'amended'>): Policy | undefined =>
  (amended?.plan ?? plan).policy;

/** Returns limits and clean-up of the newest revision, which are in effect at once, too. */
export const runPolicyOf = ({ plan, amended }: Pick<JobContext, 'plan' | 'amended'>): RunPolicy =>
  (amended?.plan ?? plan).runPolicy;

/** Returns how long the job may be active, in seconds; undefined without a limit. */
export function activeDeadlineOf(
  context: Pick<JobContext, 'plan' | 'amended' | 'extendedSeconds'>,
): number | undefined {
  const seconds = runPolicyOf(context).activeDeadlineSeconds;
  return seconds === undefined ? undefined : seconds + (context.extendedSeconds ?? 0);
}

/** Formats a policy rule for messages. */
export const policyRule = (path: string, value: unknown) => `signalbox.dev/policy ${path}: ${value}`;
