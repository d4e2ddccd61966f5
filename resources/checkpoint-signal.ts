import type { Container } from '../contracts/kubernetes.ts';
import type { CheckpointSignal } from '../contracts/policy.ts';

/**
 * Adds a preStop hook that sends another signal than SIGTERM when the pod is asked to stop, and then waits until the
 * program ends or the grace period is over. Kubernetes has no field for this that is enabled by default.
 */
export function withStopSignal(container: Container, signal: CheckpointSignal | undefined): Container {
  if (signal === undefined || signal === 'SIGTERM') return container;
  const name = signal.slice('SIG'.length);
  const script = `kill -s ${name} 1 && while kill -s 0 1; do sleep 1; done`;
  const preStop = { exec: { command: ['sh', '-c', script] } };
  return { ...container, lifecycle: { ...container.lifecycle, preStop } };
}
