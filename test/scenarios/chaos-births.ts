import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { isAlreadyExists } from '../../cluster/errors.ts';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import type { ChaosJob } from './chaos-jobs.ts';
import type { Manifest } from './manifests.ts';

/** Jobs begin in one of two ways: they are submitted, or applied as custom resources. */

/** The same job, born as a custom resource. Whoever would stop it deletes the resource. */
export function asResource(job: ChaosJob): ChaosJob {
  const { manifest, plannedEnd } = job;
  return {
    ...job,
    manifest: job.isScaled ? autoscaled(manifest) : manifest,
    plannedEnd: plannedEnd === 'isStopped' ? 'losesItsResource' : plannedEnd,
    resource: jobResourceOf(manifest),
  };
}

/** Resolves when the servers have it, with how it began. May be repeated. */
export async function beginJob(
  cluster: ClusterClient,
  client: SignalboxClient,
  { manifest, resource }: ChaosJob,
): Promise<'applied' | 'submitted'> {
  if (!resource) {
    await client.submit(manifest);
    return 'submitted';
  }
  await cluster.create<JobResource>(resource, { ...manifest }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  return 'applied';
}

const ELASTIC_KINDS = ['PyTorchJob', 'PaddleJob'];
/** Wider than people scale. */
const BOUNDS = { minReplicas: 1, maxReplicas: 16 };
const METRICS = [
  {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
  },
];

/** With an autoscaler, which has nothing to measure here, where the kind can have one. */
function autoscaled(manifest: Manifest): Manifest {
  const { kind, spec } = manifest;
  if (!ELASTIC_KINDS.includes(kind) || !workersIn(manifest)) return manifest;
  return { ...manifest, spec: { ...spec, elasticPolicy: { ...BOUNDS, metrics: METRICS } } };
}

interface Replicas {
  readonly Worker?: { readonly replicas: number };
}

/** The field of its workers, as a path below `spec`; undefined if it has none. */
export function workersIn({ spec }: Manifest): string | undefined {
  const field = Object.keys(spec).find((name) => name.endsWith('ReplicaSpecs'));
  return field && (spec[field] as Replicas).Worker ? field : undefined;
}
