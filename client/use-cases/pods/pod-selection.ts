import type { Selection } from '../../../cluster/client.ts';
import { failedStart } from '../../../contracts/ends.ts';
import type { ContainerStatus, Pod } from '../../../contracts/kubernetes.ts';
import { KUBEFLOW_LABELS, LABELS } from '../../../contracts/labels.ts';
import { containersOf, roleOf } from '../../../contracts/pod.ts';
import { roleKey } from '../../../contracts/roles.ts';
import { RANK_VARIABLES } from '../../../frameworks/model/rank-variables.ts';
import type { JobName } from '../../servers/job-name.ts';
import type { PodChoice } from './log-options.ts';
import type { LogAnchor } from './read-anchor.ts';

/** Selects the chosen pods; spares only by name. Falls back to the `master` label if the anchor is unreadable or names no main pod. */
export function selectionOf(job: JobName, choice: PodChoice, anchor?: Partial<LogAnchor>): Selection {
  const isOpen =
    !choice.all && choice.role === undefined && choice.index === undefined && choice.rank === undefined;
  const pod = choice.pod ?? (isOpen ? anchor?.mainPod : undefined);
  const chosen = isOpen && !pod ? { [KUBEFLOW_LABELS.jobRole]: 'master' } : labelsOfPods(choice);
  return {
    namespace: job.namespace,
    labelSelector: [
      ...Object.entries({ [LABELS.job]: job.name, ...chosen }).map(([key, value]) => `${key}=${value}`),
      ...(pod === undefined ? [`!${LABELS.spare}`] : []),
    ].join(','),
    ...(pod === undefined ? {} : { fieldSelector: `metadata.name=${pod}` }),
  };
}

function labelsOfPods({ role, index, pod, all }: PodChoice): Record<string, string> {
  if (all || pod !== undefined) return {};
  return {
    ...(role === undefined ? {} : { [LABELS.role]: roleKey(role) }),
    ...(index === undefined ? {} : { [LABELS.index]: String(index) }),
  };
}

/** Whether a selected pod is meant: no selector knows ranks. */
export const hasRank = ({ spec }: Pod, rank: number | undefined): boolean =>
  rank === undefined ||
  spec.containers.some(({ env = [] }) =>
    env.some(({ name, value }) => RANK_VARIABLES.has(name) && value === String(rank)),
  );

/** Returns the container to read: the named one, else the main container of the pod's role. */
export function containerOf(
  pod: Pod,
  name: string | undefined,
  anchor?: Partial<LogAnchor>,
): string | undefined {
  const { annotations = {} } = pod.metadata;
  return (
    name ??
    anchor?.containers?.get(roleOf(pod)) ??
    annotations['kubectl.kubernetes.io/default-container'] ??
    pod.spec.containers[0]?.name
  );
}

/** Returns whether there is a log: before the first run, the API server returns an empty one or an error. */
export function hasLog(pod: Pod, name: string | undefined, anchor?: Partial<LogAnchor>): boolean {
  const status = statusOf(pod, containerOf(pod, name, anchor));
  const end = status?.state?.terminated ?? status?.lastState?.terminated;
  const isFirstAwaited = status?.state?.waiting !== undefined && !end;
  return pod.spec.nodeName !== undefined && !isFirstAwaited && !failedStart(end);
}

/** Returns the container's status once it has started; before that it has no log. */
export function startedContainer(
  pod: Pod,
  name: string | undefined,
  anchor?: Partial<LogAnchor>,
): ContainerStatus | undefined {
  const status = statusOf(pod, containerOf(pod, name, anchor));
  return status?.state?.running || status?.state?.terminated ? status : undefined;
}

const statusOf = (pod: Pod, container: string | undefined): ContainerStatus | undefined =>
  containersOf(pod).find(({ name }) => name === container);
