import type { Condition, ContainerState, ContainerStatus, PodPhase, PodStatus } from '../engine.ts';
import type { RunnablePod } from './fields.ts';

/** The state of a container. The pod's status is derived from these. */
export interface ContainerRecord {
  readonly name: string;
  readonly image: string;
  readonly state: ContainerState;
  readonly last?: ContainerState;
  readonly restarts: number;
  readonly ready: boolean;
  readonly id?: string;
  /** An init container with restartPolicy Always: initialized once it has started. */
  readonly isSidecar?: boolean;
}

interface PodStatusInput {
  readonly pod: RunnablePod;
  readonly inits: readonly ContainerRecord[];
  readonly apps: readonly ContainerRecord[];
  /** Undefined before the pod has its sandbox: a kubelet mounts volumes first. */
  readonly address?: string;
  readonly hostIP: string;
  readonly startTime: string;
  /** No container runs or will run again. A kubelet reports this one update before the final phase. */
  readonly ended: boolean;
  /** The pod has its final phase. */
  readonly finished: boolean;
  /** Why the node ended the pod, e.g. DeadlineExceeded. */
  readonly cause?: { readonly reason: string; readonly message: string };
}

/** Returns a pod's status as a kubelet writes it. Unchanged conditions keep their time from `before`. */
export function podStatus(facts: PodStatusInput, before: PodStatus | undefined, now: string): PodStatus {
  const phase = facts.cause && facts.ended ? 'Failed' : phaseOf(facts);
  return {
    phase: facts.finished || !isFinal(phase) ? phase : (before?.phase ?? 'Pending'),
    ...(facts.finished ? facts.cause : undefined),
    observedGeneration: facts.pod.metadata.generation,
    conditions: conditionsOf(facts, phase).map((condition) => withTime(condition, before, now)),
    hostIP: facts.hostIP,
    hostIPs: [{ ip: facts.hostIP }],
    ...(facts.address && { podIP: facts.address, podIPs: [{ ip: facts.address }] }),
    startTime: facts.startTime,
    ...(facts.inits.length > 0 && { initContainerStatuses: facts.inits.map(initStatus) }),
    containerStatuses: facts.apps.map(containerStatus),
  };
}

function isFinal(phase: PodPhase): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Derives the phase from the containers' states. */
function phaseOf({ pod, inits, apps, ended }: PodStatusInput): PodPhase {
  const policy = pod.spec.restartPolicy ?? 'Always';
  const succeeded = apps.every(({ state }) => state.terminated?.exitCode === 0);
  if (ended) return succeeded ? 'Succeeded' : 'Failed';
  if (!inits.every(isInitialized)) return 'Pending';
  if (apps.some(({ state, last }) => state.waiting && !last?.terminated)) return 'Pending';
  if (policy === 'Always' || apps.some(({ state }) => !state.terminated)) return 'Running';
  if (succeeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

function isInitialized({ state, last, isSidecar }: ContainerRecord): boolean {
  return isSidecar ? !state.waiting || last !== undefined : state.terminated?.exitCode === 0;
}

function conditionsOf(facts: PodStatusInput, phase: PodPhase): Condition[] {
  const { inits, apps, finished } = facts;
  const incomplete = inits.filter((init) => !isInitialized(init)).map(({ name }) => name);
  const unready = apps.filter(({ ready }) => !ready).map(({ name }) => name);
  const ended = phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : undefined;
  const notReady = ended
    ? no(ended)
    : no('ContainersNotReady', `containers with unready status: [${unready.join(' ')}]`);
  const ready = unready.length === 0 && incomplete.length === 0 && !ended ? YES : notReady;
  return [
    { type: 'PodReadyToStartContainers', ...(finished || !facts.address ? no() : YES) },
    {
      type: 'Initialized',
      ...(incomplete.length === 0 || phase === 'Succeeded'
        ? { ...YES, reason: ended === 'PodCompleted' ? ended : undefined }
        : no('ContainersNotInitialized', `containers with incomplete status: [${incomplete.join(' ')}]`)),
    },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
  ];
}

const YES = { status: 'True' } as const;

function no(reason?: string, message?: string) {
  return { status: 'False', reason, message } as const;
}

/** `null` removes the reason and message of the earlier condition: conditions are merged, not replaced. */
function withTime(condition: Condition, before: PodStatus | undefined, now: string): Condition {
  const last = before?.conditions?.find(({ type }) => type === condition.type);
  const lastTransitionTime = (last?.status === condition.status && last.lastTransitionTime) || now;
  const reason = condition.reason ?? (null as unknown as undefined);
  const message = condition.message ?? (null as unknown as undefined);
  return { ...condition, reason, message, lastTransitionTime };
}

/** An init container that has succeeded counts as ready. */
function initStatus(record: ContainerRecord): ContainerStatus {
  return containerStatus({ ...record, ready: record.isSidecar ? record.ready : isInitialized(record) });
}

function containerStatus(record: ContainerRecord): ContainerStatus {
  return {
    name: record.name,
    image: record.image,
    imageID: '',
    ...(record.id && { containerID: record.id }),
    ready: record.ready,
    started: record.state.running !== undefined,
    restartCount: record.restarts,
    state: record.state,
    lastState: record.last ?? {},
  };
}
