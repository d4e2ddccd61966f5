import type { ContainerStatus, Pod, TerminatedState } from '../../../contracts/kubernetes.ts';

interface PodParts {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly containers?: readonly ContainerStatus[];
  readonly status?: Partial<Pod['status']>;
  /** When its deletion was asked for; its grace period is 30 s. */
  readonly deletedAt?: string;
}

/** A pod of the worker's role, as Kubernetes tells of it. */
export const aPod = ({ phase = 'Running', containers = [], status, deletedAt }: PodParts = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'train-worker-0',
    namespace: 'ml',
    uid: '1',
    ...(deletedAt
      ? {
          deletionTimestamp: new Date(Date.parse(deletedAt) + 30_000).toISOString(),
          deletionGracePeriodSeconds: 30,
        }
      : {}),
  },
  spec: { containers: [{ name: 'pytorch' }], nodeName: 'gpu-7' },
  status: { phase, containerStatuses: containers, ...status },
});

export const ended = (
  exitCode: number,
  {
    name = 'pytorch',
    at = '2026-11-21T10:00:00Z',
    ...end
  }: { name?: string; at?: string } & Partial<TerminatedState> = {},
): ContainerStatus => ({ name, state: { terminated: { exitCode, finishedAt: at, ...end } } });

/** Ended, and started again in place. */
export const restarted = (exitCode: number, name = 'pytorch'): ContainerStatus => ({
  name,
  restartCount: 1,
  state: { running: { startedAt: '2026-11-21T10:00:01Z' } },
  lastState: { terminated: { exitCode, finishedAt: '2026-11-21T10:00:00Z' } },
});

export const running = (name = 'pytorch'): ContainerStatus => ({
  name,
  state: { running: { startedAt: '2026-11-21T09:00:00Z' } },
});

export const disrupted = (reason: string): Pod['status'] => ({
  conditions: [{ type: 'DisruptionTarget', status: 'True', reason, message: `because of ${reason}` }],
});
