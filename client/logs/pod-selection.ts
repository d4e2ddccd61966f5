import type { Selection } from '../../cluster/client.ts';
import type { ContainerStatus, Pod } from '../../contracts/kubernetes.ts';
import { KUBEFLOW_LABELS, LABELS } from '../../contracts/labels.ts';
import type { JobName } from '../job-name.ts';
import type { PodChoice } from './log-options.ts';
import type { LogAnchor } from './read-anchor.ts';

/** The chosen pods; an anchor that nobody may read, or of an older version, does not say which one is the job's. */
export function selectionOf(job: JobName, choice: PodChoice, anchor?: Partial<LogAnchor>): Selection {
  const isOpen = !choice.all && choice.role === undefined && choice.index === undefined;
  const pod = choice.pod ?? (isOpen ? anchor?.mainPod : undefined);
  const chosen = isOpen && !pod ? { [KUBEFLOW_LABELS.jobRole]: 'master' } : labelsOf(choice);
  return {
    namespace: job.namespace,
    labelSelector: Object.entries({ [LABELS.job]: job.name, ...chosen })
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
    ...(pod === undefined ? {} : { fieldSelector: `metadata.name=${pod}` }),
  };
}

function labelsOf({ role, index, pod, all }: PodChoice): Record<string, string> {
  if (all || pod !== undefined) return {};
  return {
    ...(role === undefined ? {} : { [LABELS.role]: role.toLowerCase() }),
    ...(index === undefined ? {} : { [LABELS.index]: String(index) }),
  };
}

/** The container whose log is meant: the one that trains in a pod of this role, unless another is named. */
export function containerOf(
  pod: Pod,
  name: string | undefined,
  anchor?: Partial<LogAnchor>,
): string | undefined {
  const { annotations = {}, labels = {} } = pod.metadata;
  return (
    name ??
    anchor?.containers?.get(labels[LABELS.role] ?? '') ??
    annotations['kubectl.kubernetes.io/default-container'] ??
    pod.spec.containers[0]?.name
  );
}

/** Whether there is something to read; the API server answers with nothing, or refuses, before the container's first run. */
export function hasLog(pod: Pod, name: string | undefined, anchor?: Partial<LogAnchor>): boolean {
  const status = statusOf(pod, containerOf(pod, name, anchor));
  const isFirstAwaited = status?.state?.waiting !== undefined && !status.lastState?.terminated;
  return pod.spec.nodeName !== undefined && !isFirstAwaited;
}

/** The container's status once it has started, as before that there is no log. */
export function startedContainer(
  pod: Pod,
  name: string | undefined,
  anchor?: Partial<LogAnchor>,
): ContainerStatus | undefined {
  const status = statusOf(pod, containerOf(pod, name, anchor));
  return status?.state?.running || status?.state?.terminated ? status : undefined;
}

function statusOf({ status }: Pod, container: string | undefined): ContainerStatus | undefined {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return statuses.find(({ name }) => name === container);
}
