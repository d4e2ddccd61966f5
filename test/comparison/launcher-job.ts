import type { KubeObject, PodTemplate } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import type { Observed, ObservedStatus } from './observed.ts';

/**
 * What mpi-operator was seen to make, with a pod for the batch Job that its launcher is (launcher-pod), and with the roles of the manifest alone (roles-of-the-manifest).
 */
export function asLauncherPod(observed: Observed, { roles }: TrainingJob): Observed {
  const names = new Set(roles.map(({ name }) => name));
  const entries = Object.entries(observed).map(([name, value]) => {
    if (name === 'created') return [name, observed.created.flatMap(launcherPodOf)];
    if (name.startsWith('objectsLeft')) return [name, (value as string[]).flatMap(launcherKeyOf)];
    return [name, name.startsWith('status') ? withRoles(value as ObservedStatus, names) : value];
  });
  const mapped = Object.fromEntries(entries) as Observed;
  // That every pod has succeeded is not what happens: workers run until the launcher has ended.
  const { objectsLeftWhenLauncherSucceeded: left } = mapped as {
    objectsLeftWhenLauncherSucceeded?: string[];
  };
  return left ? { ...mapped, objectsLeft: left } : mapped;
}

/** Whether the operator had made pods of a role: one that waits for others may not have been. */
export const hasMade = ({ created }: Observed, job: TrainingJob, role: string): boolean => {
  const { podName = podNameOf } = frameworkOf(job);
  const pod = podName(job.name, role, 0);
  return created.some(({ kind, metadata }) => kind === 'Pod' && metadata.name === pod);
};

const RANDOM_END = /-<rand>$/;

function launcherPodOf(object: KubeObject): KubeObject[] {
  const { kind, metadata } = object;
  if (RANDOM_END.test(metadata.name)) return [];
  if (kind !== 'Job') return [object];
  const { template } = object.spec as { readonly template: PodTemplate };
  const { name } = metadata;
  return [{ apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name }, spec: template.spec }];
}

const launcherKeyOf = (key: string): string[] =>
  key.startsWith('Job/') ? [] : [key.replace(RANDOM_END, '')];

function withRoles(
  { replicaStatuses, ...status }: ObservedStatus,
  names: ReadonlySet<string>,
): ObservedStatus {
  if (!replicaStatuses) return status;
  const kept = Object.entries(replicaStatuses).filter(([name]) => names.has(name));
  return { ...status, replicaStatuses: Object.fromEntries(kept) };
}
