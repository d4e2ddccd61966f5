import { z } from 'zod';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { Role } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { celPlace, celRole, celSentence } from '../model/cel.ts';
import { type KindWarning, rolePath } from '../model/framework.ts';

/** The fields that the elastic policies of all kinds share. */
export const elasticPolicy = z.looseObject({
  minReplicas: z.int().min(1).optional().describe('Workers that are enough to run; default: maxReplicas.'),
  maxReplicas: z.int().min(1).optional().describe('Most workers; default: minReplicas.'),
  maxRestarts: z.int().min(0).optional().describe('Restarts of the workers that the launcher allows.'),
  metrics: z
    .array(z.unknown())
    .optional()
    .describe('What a HorizontalPodAutoscaler scales by; only for jobs that are custom resources.'),
});
type ElasticPolicy = z.infer<typeof elasticPolicy>;

/** An elastic policy needs a Worker role whose number of replicas is within the bounds. */
export function checkElastic(
  replicaSpecs: string,
  roles: readonly Role[],
  policy: ElasticPolicy | undefined,
): Fault[] {
  if (!policy) return [];
  const worker = findRole(roles, 'Worker');
  if (!worker) {
    const path = rolePath({ replicaSpecs }, 'Worker');
    return [{ path, expected: 'a value when elasticPolicy is set', got: 'nothing' }];
  }
  const { minReplicas, maxReplicas } = boundsOf(worker, policy);
  // A maximum that is only a default may be too low. The job then runs, and the surplus workers wait.
  const isTooMany = worker.replicas > maxReplicas && policy.maxReplicas !== undefined;
  if (minReplicas <= Math.min(worker.replicas, maxReplicas) && !isTooMany) return [];
  return [
    {
      path: 'spec.elasticPolicy',
      expected: 'minReplicas <= Worker.replicas <= maxReplicas (an unset bound equals the other one)',
      got: `${minReplicas}, ${worker.replicas}, ${maxReplicas}`,
    },
  ];
}

/** Returns a checked policy with both bounds filled in. */
export const completeElastic = <T extends ElasticPolicy>(roles: readonly Role[], policy: T) => ({
  ...policy,
  ...boundsOf(findRole(roles, 'Worker')!, policy),
});

/** An elastic job can start with its minimum of workers. */
export function elasticMinMember(roles: readonly Role[], policy: ElasticPolicy | undefined): number {
  const workers = findRole(roles, 'Worker')?.replicas ?? 0;
  return totalReplicas(roles) - workers + (policy?.minReplicas ?? workers);
}

/** `minReplicas` workers are enough to run and to complete; others may join and leave if the bounds differ. */
export function elasticRoles({ minReplicas: min, maxReplicas: max }: ElasticPolicy = {}) {
  if (min === undefined) return {};
  const scales = max !== undefined && max > min ? { scales: { min, max } } : {};
  return { Worker: { enough: min, ...scales } };
}

const fewer = (most: number | string, surplus: number | string, workers: number | string) =>
  `spec.elasticPolicy.maxReplicas: ${most}, like minReplicas; ${surplus} of ${workers} workers will wait`;

const isFewer = () => {
  const policy = 'object.spec.?elasticPolicy';
  const [least, workers] = [
    `${policy}.?minReplicas.orValue(0)`,
    `${celRole('Worker').fields}.?replicas.orValue(1)`,
  ];
  const said = celSentence(fewer(celPlace(least), celPlace(`${workers} - ${least}`), celPlace(workers)));
  const isUnset = `!${policy}.?maxReplicas.hasValue() && ${policy}.?minReplicas.hasValue()`;
  return `${isUnset} && ${least} < ${workers} ? [${said}] : []`;
};

type Elastic = { readonly elasticPolicy?: ElasticPolicy | undefined };

/** What the elastic policies of all kinds are warned of. */
export const ELASTIC_WARNINGS: readonly KindWarning<Elastic>[] = [
  {
    in: ({ resource, options: { elasticPolicy } }) =>
      elasticPolicy?.metrics && !resource
        ? [
            'spec.elasticPolicy.metrics: without effect unless the job is a custom resource, which an autoscaler can scale',
          ]
        : [],
  },
  {
    in: ({ roles, options: { elasticPolicy } }) => {
      const workers = findRole(roles, 'Worker')?.replicas ?? 0;
      const most = elasticPolicy?.maxReplicas ?? workers;
      return most < workers ? [fewer(most, workers - most, workers)] : [];
    },
    cel: isFewer,
  },
];

/** A missing bound equals the other one, as upstream; without bounds, both are the number of workers. */
export const boundsOf = (
  { replicas }: Pick<Role, 'replicas'>,
  { minReplicas, maxReplicas }: Pick<ElasticPolicy, 'minReplicas' | 'maxReplicas'>,
) => ({
  minReplicas: minReplicas ?? maxReplicas ?? replicas,
  maxReplicas: maxReplicas ?? minReplicas ?? replicas,
});
