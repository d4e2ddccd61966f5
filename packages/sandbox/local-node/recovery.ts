import type { ContainerStatus } from '../engine.ts';
import { isSidecar, type RunnableContainer, type RunnablePod } from './fields.ts';
import type { ContainerRecord } from './status.ts';

/**
 * Returns the state of a container when its pod is first seen: new, or as reported before the node restarted. A process
 * that ran then is gone with an unknown exit code; it is reported as a kubelet does after a reboot.
 */
export function recoverRecord(
  spec: RunnableContainer,
  kind: 'init' | 'app',
  pod: RunnablePod,
  now = new Date(),
): ContainerRecord {
  const statuses = kind === 'init' ? pod.status?.initContainerStatuses : pod.status?.containerStatuses;
  const before = statuses?.find(({ name }) => name === spec.name);
  const hasInits = (pod.spec.initContainers?.length ?? 0) > 0;
  return {
    name: spec.name,
    image: spec.image ?? '',
    state: { waiting: { reason: hasInits ? 'PodInitializing' : 'ContainerCreating' } },
    restarts: before?.restartCount ?? 0,
    ready: false,
    isSidecar: kind === 'init' && isSidecar(spec),
    ...(before && left(before, now)),
  };
}

function left(before: ContainerStatus, now: Date): Partial<ContainerRecord> {
  const { state, lastState } = before;
  const id = before.containerID as string | undefined;
  const last = lastState?.terminated ? { terminated: lastState.terminated } : undefined;
  if (state?.terminated) return { state, last, id };
  // In back-off: continue from the last run.
  if (state?.waiting && last) return { state: last, last, id };
  if (!state?.running) return {};
  const terminated = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the local node was started again',
    startedAt: state.running.startedAt,
    finishedAt: now.toISOString(),
  };
  return { state: { terminated }, last, id };
}
