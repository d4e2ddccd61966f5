import type { Container } from '../contracts/kubernetes.ts';
import type { CheckpointSignal } from '../contracts/policy.ts';

/**
 * A container whose program gets another signal than SIGTERM when its pod is told to stop, and is then left alone until
 * it ends, or its grace period is over. Kubernetes has no field for that which is on by default, so a hook sends it.
 */
export function withStopSignal(container: Container, signal: CheckpointSignal | undefined): Container {
  if (signal === undefined || signal === 'SIGTERM') return container;
  const name = signal.slice('SIG'.length);
  const script = `kill -s ${name} 1 && while kill -s 0 1; do sleep 1; done`;
  const preStop = { exec: { command: ['sh', '-c', script] } };
  return { ...container, lifecycle: { ...(container.lifecycle as object | undefined), preStop } };
}
