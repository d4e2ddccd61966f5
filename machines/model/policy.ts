import { DEFAULT_POLICY, type Policy } from '../../contracts/policy.ts';
import type { JobContext } from './job-context.ts';

/** The job's own policy, or what the original operators do. */
export const jobPolicy = ({ plan }: Pick<JobContext, 'plan'>): Policy => plan.policy ?? DEFAULT_POLICY;

/** How a rule of the policy is named to people. */
export const policyRule = (path: string, value: unknown) => `signalbox.dev/policy ${path}: ${value}`;
