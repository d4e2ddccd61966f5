import { DEFAULT_POLICY, type Policy } from '../../contracts/policy.ts';
import type { JobContext } from './job-context.ts';

/** Returns the job's own policy, or the defaults of the original operators. */
export const jobPolicy = ({ plan }: Pick<JobContext, 'plan'>): Policy => plan.policy ?? DEFAULT_POLICY;

/** Formats a policy rule for messages. */
export const policyRule = (path: string, value: unknown) => `signalbox.dev/policy ${path}: ${value}`;
