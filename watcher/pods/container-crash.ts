import type { ContainerStatus, PodStatus } from '../../contracts/kubernetes.ts';

/** How a container ended that its kubelet starts again. */
export interface ContainerCrash {
  readonly container: string;
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  /** Of this container. */
  readonly restarts: number;
}

/**
 * Of the container that was restarted most often how it ended last. While it waits for its next start that is its state
 * for most of the time, and only late it is said to wait; once it runs again it is its last state.
 */
export function containerCrashOf(status: PodStatus | undefined): ContainerCrash | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const crashes = all.flatMap(crashOf);
  return crashes.reduce<ContainerCrash | undefined>(
    (worst, one) => (worst && worst.restarts >= one.restarts ? worst : one),
    undefined,
  );
}

function crashOf({ name, restartCount = 0, state, lastState }: ContainerStatus): ContainerCrash[] {
  const end = state?.terminated ?? lastState?.terminated;
  if (restartCount === 0 || !end?.exitCode) return [];
  const { exitCode, signal, reason } = end;
  // Kubernetes leaves 0 where there was none.
  return [{ container: name, exitCode, signal: signal || undefined, reason, restarts: restartCount }];
}
