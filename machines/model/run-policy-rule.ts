import type { Plan, RunPolicy } from '../../contracts/training-job.ts';

/** Returns path and value of a field of the run policy, as manifests of the kind have it. */
export const runPolicyRule = (
  { runPolicyPath }: Pick<Plan, 'runPolicyPath'>,
  field: keyof RunPolicy,
  value: unknown,
) => `${runPolicyPath ?? 'spec.runPolicy'}.${field}: ${value}`;
