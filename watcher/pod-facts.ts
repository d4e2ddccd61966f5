import { MESSAGE_LENGTH } from '../contracts/digest.ts';
import type { ContainerStatus, KubeObject, Pod, PodStatus } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { trimVoice, type Voice, voiceOf } from './voice.ts';

export type PodState = 'unplaced' | 'placed' | 'ready' | 'succeeded' | 'failed' | 'leaving';

/** What a digest needs to know of a pod: some 400 bytes instead of the pod's 10 to 20 kilobytes. */
export interface PodFacts {
  readonly name: string;
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly state: PodState;
  readonly node?: string;
  /** Its pod IP; empty while it has none. */
  readonly address: string;
  /** Restarts in place, of all its containers. */
  readonly restarts: number;
  /** Why it is not ready yet, where Kubernetes gives a reason. */
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly failure?: FailureFacts;
  readonly voice?: Voice;
}

export interface FailureFacts {
  readonly node?: string;
  /** What happened to the whole pod, e.g. Evicted; it outweighs what its containers then ended with. */
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339. */
  readonly finishedAt: string;
  /** Containers that ended with an exit code other than 0, in the order of the pod's status. */
  readonly ended: readonly ContainerEnd[];
}

export interface ContainerEnd {
  readonly container: string;
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly finishedAt?: string;
}

export function podFacts(pod: Pod): PodFacts {
  const labels = pod.metadata.labels ?? {};
  const state = stateOf(pod);
  return {
    name: pod.metadata.name,
    role: labels[LABELS.role] ?? '',
    index: numberOf(labels[LABELS.index]),
    attempt: numberOf(labels[LABELS.attempt]),
    state,
    node: pod.spec.nodeName,
    address: pod.status?.podIP ?? '',
    restarts: containersOf(pod.status).reduce((sum, { restartCount }) => sum + (restartCount ?? 0), 0),
    waiting: state === 'unplaced' || state === 'placed' ? waitingOf(pod.status) : undefined,
    failure: state === 'failed' ? failureOf(pod) : undefined,
    voice: voiceOf(pod),
  };
}

/** A pod without what `podFacts` does not read: most of it is its spec and `managedFields`. */
export const trimPod = ({ apiVersion, kind, metadata, spec, status }: Pod): Pod => ({
  apiVersion,
  kind,
  metadata: { ...metadata, ...trimVoice(metadata) },
  spec: { containers: [], nodeName: spec.nodeName },
  status,
});

export const hasEnded = ({ state }: PodFacts) => state === 'succeeded' || state === 'failed';

/** Which job an object belongs to: the uid of the anchor that owns it. */
export const ownerOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ kind, apiVersion }) => kind === 'ConfigMap' && apiVersion === 'v1')?.uid;

export const numberOf = (label: string | undefined) => Number.parseInt(label ?? '', 10) || 0;

export const cut = (text: string | undefined) => text?.slice(0, MESSAGE_LENGTH) || undefined;

function stateOf({ metadata, spec, status }: Pod): PodState {
  if (status?.phase === 'Succeeded') return 'succeeded';
  if (status?.phase === 'Failed') return 'failed';
  if (metadata.deletionTimestamp) return 'leaving';
  if (conditionOf(status, 'Ready')?.status === 'True') return 'ready';
  if (spec.nodeName || conditionOf(status, 'PodScheduled')?.status === 'True') return 'placed';
  return 'unplaced';
}

/** The scheduler's word first, then a container's that is in trouble, then any container's, then the kubelet's. */
function waitingOf(status: PodStatus | undefined): PodFacts['waiting'] {
  const scheduled = conditionOf(status, 'PodScheduled');
  if (scheduled?.status === 'False') return wordsOf(scheduled);
  const waiting = containersOf(status).flatMap(({ state }) =>
    state?.waiting?.reason ? [state.waiting] : [],
  );
  const container = waiting.find(({ reason }) => !STARTING_UP.has(reason ?? '')) ?? waiting[0];
  if (container) return wordsOf(container);
  const ready = conditionOf(status, 'Ready');
  return ready?.reason ? wordsOf(ready) : undefined;
}

/** What every container says for a while. */
const STARTING_UP = new Set(['ContainerCreating', 'PodInitializing']);

const wordsOf = ({ reason, message }: { readonly reason?: string; readonly message?: string }) => ({
  reason: reason ?? 'Unknown',
  message: cut(message),
});

function failureOf({ metadata, spec, status }: Pod): FailureFacts {
  const ended = containersOf(status).flatMap(endOf);
  const last = ended
    .map(({ finishedAt }) => finishedAt ?? '')
    .sort()
    .at(-1);
  // Set by whoever ended the pod from outside: preemption, eviction, a taint, a node's shutdown.
  const disruption = conditionOf(status, 'DisruptionTarget');
  const disrupted = disruption?.status === 'True' ? disruption : undefined;
  return {
    node: spec.nodeName,
    reason: status?.reason ?? disrupted?.reason,
    message: cut(status?.message ?? disrupted?.message),
    finishedAt:
      last ||
      conditionOf(status, 'Ready')?.lastTransitionTime ||
      metadata.deletionTimestamp ||
      (metadata.creationTimestamp ?? ''),
    ended,
  };
}

function endOf({ name, state }: ContainerStatus): ContainerEnd[] {
  const end = state?.terminated;
  if (!end?.exitCode) return [];
  const { exitCode, signal, reason, finishedAt } = end;
  return [{ container: name, exitCode, signal, reason, message: cut(end.message), finishedAt }];
}

const conditionOf = (status: PodStatus | undefined, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

const containersOf = (status: PodStatus | undefined): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];
