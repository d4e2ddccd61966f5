import { keysOf } from '../../../../language/fields.ts';
import { jaxPolicy } from './jax.ts';
import type { JobWithRuntime, MlPolicy } from './ml-policy.ts';
import { mpiPolicy } from './mpi.ts';
import { torch } from './torch.ts';
import { xgboostPolicy } from './xgboost.ts';

/** By their fields of mlPolicy. */
const POLICIES = { torch, mpi: mpiPolicy, jax: jaxPolicy, xgboost: xgboostPolicy } as const;
const POLICY_NAMES = keysOf(POLICIES);

/** A runtime without one is plain: its pods have what it says and no more. */
const PLAIN: MlPolicy = { reserved: [] };

/** Returns the names of those that a runtime has. */
export const policiesNamed = ({ options }: JobWithRuntime): readonly string[] =>
  POLICY_NAMES.filter((name) => options.runtime.mlPolicy?.[name] !== undefined);

export function policyOf({ options }: JobWithRuntime): MlPolicy {
  const name = POLICY_NAMES.find((one) => options.runtime.mlPolicy?.[one] !== undefined);
  return name ? POLICIES[name] : PLAIN;
}
