import { PODS } from '../../contracts/kubernetes.ts';
import type { Stage } from './stage.ts';

/** How a pod ended, as a kubelet reports it. */
export interface PodEnd {
  readonly exitCode: number;
  /** Of its container. */
  readonly reason?: string;
  /** Termination message. */
  readonly message?: string;
  /** Who ended it from outside: the reason of its condition DisruptionTarget. */
  readonly disruption?: string;
}

/** Lets a simulated pod fail in ways that simulated nodes do not know: its status is written through the API. */
export async function failPod(
  stage: Pick<Stage, 'cluster' | 'namespace'>,
  name: string,
  end: PodEnd,
): Promise<void> {
  const { exitCode, reason = 'Error', message, disruption } = end;
  // One time for all: a container that ended in the second before a disruption did not end because of it.
  const now = new Date().toISOString();
  const terminated = { exitCode, reason, message, finishedAt: now };
  const condition = (type: string, status: string, why: string) => ({
    type,
    status,
    reason: why,
    lastTransitionTime: now,
  });
  const status = {
    phase: 'Failed',
    conditions: [
      condition('Ready', 'False', 'PodFailed'),
      ...(disruption ? [condition('DisruptionTarget', 'True', disruption)] : []),
    ],
    containerStatuses: [{ name: 'pytorch', ready: false, state: { running: null, terminated } }],
  };
  const target = { namespace: stage.namespace, name, subresource: 'status' } as const;
  await stage.cluster.patch(PODS, target, { status }, 'strategic');
}
