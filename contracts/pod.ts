import type { Condition, ContainerStatus, KubeObject, Pod, PodSpec } from './kubernetes.ts';
import { ANNOTATIONS, GANG_GATE, jobNameOf, LABELS } from './labels.ts';
import { conditionOf, isAnchor, numberLabel } from './objects.ts';
import { SPARE } from './spares.ts';

/** Field selector of pods that have neither succeeded nor failed: these use something of a node, or will. */
export const UNFINISHED = 'status.phase!=Succeeded,status.phase!=Failed';

type Named = Pick<KubeObject, 'metadata'>;

/** Returns the role in lower case; empty if neither name nor labels say it. */
export const roleOf = (pod: Named): string =>
  replicaInName(pod)?.role ?? pod.metadata.labels?.[LABELS.role] ?? '';

/** Returns the index in the role; 0 if neither name nor labels say it. */
export const indexOf = (pod: Named): number => replicaInName(pod)?.index ?? numberLabel(pod, LABELS.index);

/**
 * Reads the names of `podNameOf`: everybody can edit labels, but a name never changes. Undefined for other names, e.g. that
 * of a launcher.
 */
function replicaInName({ metadata }: Named) {
  const anchor = metadata.ownerReferences?.find(isAnchor);
  // Of a pod that has lost its owner the label counts, by which it was found.
  const job = anchor ? jobNameOf(anchor.name) : metadata.labels?.[LABELS.job];
  const prefix = job && `${job}-`;
  if (!prefix || !metadata.name.startsWith(prefix)) return undefined;
  const [, role, index] = /^(.+)-(\d+)$/.exec(metadata.name.slice(prefix.length)) ?? [];
  return role && index ? { role, index: Number(index) } : undefined;
}

/**
 * Whether a pod is a replica of its job. A user who copies a pod to debug it changes the name but keeps labels and
 * owner; such a pod is not a replica, however it ends.
 */
export const isReplica = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.[LABELS.pod] === metadata.name && !isSpare({ metadata });

/** Whether a pod only holds a place for the pods of its job. */
export const isSpare = (pod: Named): boolean => replicaInName(pod)?.role === SPARE;

/** Returns the statuses of all containers, init containers first. */
export const containersOf = ({ status }: Pick<Pod, 'status'>): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** Returns how often a container that has ended did so in its pod: after its last end it may not be restarted yet. */
export const countEnds = ({ restartCount = 0, state }: ContainerStatus): number =>
  restartCount + (state?.running ? 0 : 1);

export const isPodReady = (pod: Pod): boolean => conditionOf(pod, 'Ready')?.status === 'True';

/** Names of the gates that keep a pod from the scheduler. */
export const gatesOf = ({ schedulingGates = [] }: PodSpec): readonly string[] =>
  schedulingGates.map(({ name }) => name);

/** Whether a pod was made as a member of a gated gang; its gate may be gone. */
export const isInGatedGang = ({ metadata }: Named): boolean => metadata.labels?.[LABELS.gated] !== undefined;

/** Whether the gate of a member of a gated gang may be, or was, lifted without room for the gang. */
export const isLiftedOnQuota = ({ metadata }: Named): boolean =>
  metadata.annotations?.[ANNOTATIONS.lift] === 'onQuota';

/** Whether a pod waits for its gated gang. */
export const isBehindGangGate = ({ spec }: Pod): boolean => gatesOf(spec).includes(GANG_GATE);

export const schedulerOf = ({ schedulerName = 'default-scheduler' }: PodSpec): string => schedulerName;

/** Whether all containers have ended and none will run again. */
export const hasPodEnded = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

/**
 * Whether the kubelet says that no container runs any more. The phase alone can be the word of the control plane, which gives
 * up pods of nodes that it does not hear of.
 */
export const haveContainersEnded = (pod: Pod): boolean => {
  const { containerStatuses = [] } = pod.status ?? {};
  const isOver = (name: string) => containerStatuses.find((one) => one.name === name)?.state?.terminated;
  return hasPodEnded(pod) && pod.spec.containers.every(({ name }) => isOver(name));
};

/** Returns the condition that announces an end from outside: preemption, eviction, a taint, a node's shutdown. */
export function disruptionOf(pod: Pod): Condition | undefined {
  const condition = conditionOf(pod, 'DisruptionTarget');
  return condition?.status === 'True' ? condition : undefined;
}

/**
 * Returns when the pod's deletion was requested, in epoch milliseconds: `deletionTimestamp` is that time plus the grace
 * period. NaN if it was not.
 */
export const deletionRequestedAt = ({ metadata }: Pod): number =>
  Date.parse(metadata.deletionTimestamp ?? '') - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
