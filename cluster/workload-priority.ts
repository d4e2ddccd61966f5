import {
  KUEUE_PRIORITY_CLASSES,
  type KubeObject,
  PRIORITY_CLASSES,
  type Resource,
} from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { ClusterClient } from './client.ts';

/** As in the spec of a Workload. */
interface WorkloadPriority {
  readonly priority: number;
  readonly priorityClassRef?: { readonly group: string; readonly kind: string; readonly name: string };
}

/** Returns the priority of a job's Workload, as Kueue: the class of its own, else that of the pods, else the cluster's default. */
export async function workloadPriority(
  cluster: Pick<ClusterClient, 'get' | 'list'>,
  { gang, roles }: Pick<TrainingJob, 'gang' | 'roles'>,
): Promise<WorkloadPriority> {
  const own = gang.kueue?.priorityClass;
  if (own)
    return priorityIn(KUEUE_PRIORITY_CLASSES, await cluster.get(KUEUE_PRIORITY_CLASSES, undefined, own));
  const [ofPods] = roles.flatMap(({ template }) => template.spec.priorityClassName ?? []);
  const name = gang.priorityClass ?? ofPods;
  if (name) return priorityIn(PRIORITY_CLASSES, await cluster.get(PRIORITY_CLASSES, undefined, name));
  const { items } = await cluster.list(PRIORITY_CLASSES, {});
  const usual = items.find(({ globalDefault }) => globalDefault === true);
  return usual ? priorityIn(PRIORITY_CLASSES, usual) : { priority: 0 };
}

function priorityIn(
  { apiVersion, kind }: Resource,
  { metadata: { name }, value }: KubeObject,
): WorkloadPriority {
  const [group = ''] = apiVersion.split('/', 1);
  return { priorityClassRef: { group, kind, name }, priority: Number(value ?? 0) };
}
