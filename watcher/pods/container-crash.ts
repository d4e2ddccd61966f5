import type { ContainerStatus, Pod } from '../../contracts/kubernetes.ts';
import { containersOf } from '../../contracts/pod.ts';

/** How a container ended that the kubelet restarts. */
export interface ContainerCrash {
  readonly container: string;
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  /** Restarts of this container alone. */
  readonly restarts: number;
}

/**
 * Returns how the container with the most restarts last ended. While it waits for a restart, its state is mostly
 * `terminated` and only late `waiting`; once it runs again, the end is its last state.
 */
export function containerCrashOf(pod: Pod): ContainerCrash | undefined {
  const crashes = containersOf(pod).flatMap(crashOf);
  return crashes.reduce<ContainerCrash | undefined>(
    (worst, one) => (worst && worst.restarts >= one.restarts ? worst : one),
    undefined,
  );
}

function crashOf({ name, restartCount = 0, state, lastState }: ContainerStatus): ContainerCrash[] {
  const end = state?.terminated ?? lastState?.terminated;
  if (restartCount === 0 || !end?.exitCode) return [];
  const { exitCode, signal, reason } = end;
  // Kubernetes sets 0 if there was no signal.
  return [{ container: name, exitCode, signal: signal || undefined, reason, restarts: restartCount }];
}
