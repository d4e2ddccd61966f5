import { z } from 'zod';
import type { Fault } from '../../contracts/faults.ts';
import type { Role } from '../../contracts/training-job.ts';
import { findRole, rolePath, totalReplicas } from '../framework.ts';

/** What the elastic policies of all kinds have in common: how few and how many workers there may be. */
export const elasticPolicy = z.looseObject({
  minReplicas: z.int().min(1).optional(),
  maxReplicas: z.int().min(1).optional(),
  maxRestarts: z.int().min(0).optional(),
  metrics: z.array(z.unknown()).optional(),
});
export type ElasticPolicy = z.infer<typeof elasticPolicy>;

/** Without workers there is nothing to be elastic; with them, their number must be within the bounds. */
export function checkElastic(
  replicaSpecs: string,
  roles: readonly Role[],
  policy: ElasticPolicy | undefined,
): Fault[] {
  if (!policy) return [];
  const worker = findRole(roles, 'Worker');
  if (!worker) {
    const path = rolePath({ replicaSpecs }, 'Worker');
    return [{ path, expected: 'to be given with elasticPolicy', got: 'nothing' }];
  }
  const { minReplicas, maxReplicas } = boundsOf(worker, policy);
  // A bound that was only filled in may be too low: the job runs, with workers that wait.
  const isTooMany = worker.replicas > maxReplicas && policy.maxReplicas !== undefined;
  if (minReplicas <= Math.min(worker.replicas, maxReplicas) && !isTooMany) return [];
  return [
    {
      path: 'spec.elasticPolicy',
      expected: 'minReplicas <= Worker.replicas <= maxReplicas, where a bound left out equals the other one',
      got: `${minReplicas}, ${worker.replicas}, ${maxReplicas}`,
    },
  ];
}

/** The policy with both bounds; for one that was checked. */
export const completeElastic = <T extends ElasticPolicy>(roles: readonly Role[], policy: T) => ({
  ...policy,
  ...boundsOf(findRole(roles, 'Worker')!, policy),
});

/** An elastic job can start with its fewest workers. */
export function elasticMinMember(roles: readonly Role[], policy: ElasticPolicy | undefined): number {
  const workers = findRole(roles, 'Worker')?.replicas ?? 0;
  return totalReplicas(roles) - workers + (policy?.minReplicas ?? workers);
}

/** And it runs, and ends, with so many; others may come, and leave again, where the bounds leave room. */
export function elasticRoles({ minReplicas: min, maxReplicas: max }: ElasticPolicy = {}) {
  if (min === undefined) return {};
  const scales = max !== undefined && max > min ? { scales: { min, max } } : {};
  return { Worker: { enough: min, ...scales } };
}

export function elasticWarnings(roles: readonly Role[], policy: ElasticPolicy | undefined): string[] {
  const workers = findRole(roles, 'Worker')?.replicas ?? 0;
  const { metrics, maxReplicas = workers } = policy ?? {};
  return [
    ...(metrics
      ? ['spec.elasticPolicy.metrics: not acted on; there is no object that an autoscaler could scale']
      : []),
    ...(maxReplicas < workers
      ? [
          `spec.elasticPolicy.maxReplicas: taken to be ${maxReplicas}, as minReplicas is; ${workers - maxReplicas} of ${workers} workers will wait`,
        ]
      : []),
  ];
}

/** With one bound given, the other is the same (upstream's default); with none, both are the number of workers. */
const boundsOf = ({ replicas }: Role, { minReplicas, maxReplicas }: ElasticPolicy) => ({
  minReplicas: minReplicas ?? maxReplicas ?? replicas,
  maxReplicas: maxReplicas ?? minReplicas ?? replicas,
});
