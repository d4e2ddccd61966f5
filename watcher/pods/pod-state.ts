import type { ContainerStatus, Pod } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { hasPodEnded } from '../../contracts/pod.ts';
import {
  containersBesideEnd,
  isLastRun,
  isProgramReady,
  otherContainersOf,
  programEndOf,
  waitsForSidecars,
} from '../../contracts/program.ts';
import { endedBefore, type Interruption } from './interruption.ts';

export type PodState = 'unscheduled' | 'scheduled' | 'ready' | 'succeeded' | 'failed' | 'terminating';

export interface OutlivedProgram {
  readonly container: string;
  readonly exitCode: number;
  /** Containers that still run. */
  readonly running: readonly string[];
  /** The pod is being deleted. */
  readonly isLeaving: boolean;
}

export function stateOf(pod: Pod, interruption: Interruption | undefined): PodState {
  const { metadata, spec, status } = pod;
  const end = resultOf(pod, interruption);
  if (end) return interruption || end.exitCode !== 0 ? 'failed' : 'succeeded';
  if (status?.phase === 'Succeeded') return interruption ? 'failed' : 'succeeded';
  if (status?.phase === 'Failed') return 'failed';
  if (metadata.deletionTimestamp) return 'terminating';
  if (isProgramReady(pod) || isAtItsEnd(pod)) return 'ready';
  if (spec.nodeName || conditionOf(pod, 'PodScheduled')?.status === 'True') return 'scheduled';
  return 'unscheduled';
}

/**
 * Returns the end of the program if the pod has its result by it. A pod without other containers ends with it. If the
 * pod was told to stop before, only its own end shows the result.
 */
function resultOf(pod: Pod, interruption: Interruption | undefined) {
  const end = waitsForSidecars(pod) ? undefined : programEndOf(pod);
  if (!end || hasPodEnded(pod)) return end;
  if (otherContainersOf(pod).length === 0) return undefined;
  return interruption && !endedBefore(interruption, end) ? undefined : end;
}

export function outlivedOf(pod: Pod): OutlivedProgram | undefined {
  const end = programEndOf(pod);
  const running = containersBesideEnd(pod);
  if (!end || running.length === 0) return undefined;
  const { container, exitCode } = end;
  return { container, exitCode, running, isLeaving: pod.metadata.deletionTimestamp !== undefined };
}

/**
 * Whether every container has ended for good, or the program has and the pod waits for others. The kubelet withdraws the
 * Ready condition one update before it reports the pod's end; in between, the pod waits for nothing.
 */
function isAtItsEnd(pod: Pod): boolean {
  const { spec, status } = pod;
  if (waitsForSidecars(pod) && programEndOf(pod)) return true;
  const statuses = status?.phase === 'Running' ? (status.containerStatuses ?? []) : [];
  const isFinal = ({ name, state }: ContainerStatus) =>
    state?.terminated !== undefined && isLastRun(spec, name, state.terminated);
  return statuses.length > 0 && statuses.every(isFinal);
}
