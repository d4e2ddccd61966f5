import type { ContainerStatus, Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { anchorUidOf, attemptOf } from '../contracts/objects.ts';
import { containersOf, indexOf, roleOf } from '../contracts/pod.ts';
import type { ContainerEvidence, EvidenceRecord } from '../contracts/types.ts';
import type { RecordedJob } from './record-key.ts';

/** Logs by container and run. */
export type Logs = ReadonlyMap<string, Pick<ContainerEvidence, 'log' | 'previousLog'>>;

/** Returns the identity of a pod within its job. */
export const identityOf = (pod: Pod) => ({
  pod: pod.metadata.name,
  uid: pod.metadata.uid ?? '',
  role: roleOf(pod),
  index: indexOf(pod),
  attempt: attemptOf(pod),
});

/**
 * Returns the run of the job that a pod belongs to, from the anchor that owns the pod. Once that is deleted, the uid of the custom
 * resource takes its place, which then owns the pod alone.
 */
export const recordedJobOf = (pod: Pod): RecordedJob => ({
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.labels?.[LABELS.job] ?? '',
  anchorUid: anchorUidOf(pod) ?? pod.metadata.ownerReferences?.[0]?.uid ?? '',
});

/** Returns the part of a record that comes from the pod object. */
export function podEvidence(pod: Pod): EvidenceRecord['pod'] {
  const { phase, reason, message, conditions = [], startTime } = pod.status ?? {};
  return {
    phase,
    reason,
    message,
    startTime,
    deletionTimestamp: pod.metadata.deletionTimestamp,
    conditions: [...conditions],
  };
}

export function containerEvidence(pod: Pod, logs: Logs): ContainerEvidence[] {
  const isInit = ({ name }: ContainerStatus) =>
    pod.status?.initContainerStatuses?.some((one) => one.name === name) || undefined;
  return containersOf(pod).map((status) => ({
    name: status.name,
    image: status.image,
    isInit: isInit(status),
    restarts: status.restartCount ?? 0,
    state: status.state,
    lastState: given(status.lastState),
    ...logs.get(status.name),
  }));
}

const given = <T extends object>(state: T | undefined) =>
  state && Object.keys(state).length > 0 ? state : undefined;
