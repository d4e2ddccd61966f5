import type { Selection } from '../cluster/client.ts';
import type { ContainerStatus, Pod } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, KUBEFLOW_LABELS, LABELS } from '../contracts/labels.ts';

export interface PodChoice {
  /** Pods of this role only. */
  readonly role?: string;
  /** Pods of this replica index only. */
  readonly index?: number;
  /** This pod only. */
  readonly pod?: string;
  /** Every pod of the job. Without any choice: rank 0. */
  readonly all?: boolean;
}

export interface JobName {
  readonly name: string;
  readonly namespace: string;
}

export function selectionOf(job: JobName, choice: PodChoice): Selection {
  const labels = { [LABELS.job]: job.name, ...labelsFor(choice) };
  return {
    namespace: job.namespace,
    labelSelector: Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
    ...(choice.pod === undefined ? {} : { fieldSelector: `metadata.name=${choice.pod}` }),
  };
}

function labelsFor({ role, index, pod, all }: PodChoice): Record<string, string> {
  if (all || pod !== undefined) return {};
  if (role === undefined && index === undefined) return { [KUBEFLOW_LABELS.jobRole]: 'master' };
  return {
    ...(role === undefined ? {} : { [KUBEFLOW_LABELS.replicaType]: role.toLowerCase() }),
    ...(index === undefined ? {} : { [KUBEFLOW_LABELS.replicaIndex]: String(index) }),
  };
}

/** The container whose log is meant: the one that trains, unless another is named. */
export function containerOf(pod: Pod, name: string | undefined): string | undefined {
  const annotations = pod.metadata.annotations ?? {};
  return (
    name ??
    annotations[ANNOTATIONS.mainContainer] ??
    annotations['kubectl.kubernetes.io/default-container'] ??
    pod.spec.containers[0]?.name
  );
}

/** The container's status once it has started, as before that there is no log. */
export function startedContainer(pod: Pod, name: string | undefined): ContainerStatus | undefined {
  const container = containerOf(pod, name);
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const status = statuses.find((candidate) => candidate.name === container);
  return status?.state?.running || status?.state?.terminated ? status : undefined;
}
