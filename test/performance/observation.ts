import type { ClusterClient } from '../../cluster/client.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import { CONFIG_MAPS, type KubeObject, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, KUBEFLOW_LABELS, LABELS } from '../../contracts/labels.ts';
import { Milestone } from './milestone.ts';
import { NAMESPACE, podsOf, type Workload } from './workload.ts';

/**
 * What becomes of a workload, seen from outside by two watches, as any kubectl would see it. A time is when the event
 * was received here, so all measurements carry the same delay.
 */
export interface Observation {
  readonly created: Milestone;
  readonly running: Milestone;
  readonly gone: Milestone;
  /** Jobs by name; the phase as their own objects have it. */
  readonly jobsRunning: Milestone;
  readonly jobsStopped: Milestone;
  /** From the last of a job's pods that came to run, to the job's phase Running, in milliseconds. */
  lags(): number[];
  stop(): void;
}

export interface ObservedJob {
  readonly name: string;
  readonly phase: string | undefined;
}

/** Follows the objects that stand for jobs: anchors, or the custom resources of an operator. */
export type FollowJobs = (
  client: ClusterClient,
  signal: AbortSignal,
  tell: (job: ObservedJob, at: number) => void,
) => Promise<void>;

export const followAnchors: FollowJobs = (client, signal, notify) =>
  followObjects(client, { resource: CONFIG_MAPS, label: LABELS.anchor, signal }, (_type, { metadata }, at) =>
    notify(
      { name: metadata.labels?.[LABELS.job] ?? '', phase: metadata.annotations?.[ANNOTATIONS.phase] },
      at,
    ),
  );

/** Begins to watch; resolves when nothing that happens from now on can be missed. */
export async function observe(
  client: ClusterClient,
  workload: Workload,
  follow: FollowJobs = followAnchors,
): Promise<Observation> {
  const ending = new AbortController();
  const pods = podsOf(workload);
  const seen = {
    created: new Milestone('pods created', pods),
    running: new Milestone('pods running', pods),
    gone: new Milestone('pods removed', pods),
    jobsRunning: new Milestone('jobs in phase Running', workload.jobs),
    jobsStopped: new Milestone('jobs in phase Stopped', workload.jobs),
  };
  const lastRunning = new Map<string, number>();

  const onPod = (type: string, pod: Pod, at: number) => {
    const { name, labels } = pod.metadata;
    const job = labels?.[KUBEFLOW_LABELS.jobName] ?? '';
    if (!job.startsWith(`${workload.prefix}-`)) return;
    if (type === 'DELETED') return seen.gone.note(name, at);
    seen.created.note(name, at);
    if (pod.status?.phase !== 'Running' || seen.running.timeOf(name)) return;
    seen.running.note(name, at);
    lastRunning.set(job, at);
  };
  const onJob = ({ name, phase }: ObservedJob, at: number) => {
    if (!name.startsWith(`${workload.prefix}-`)) return;
    if (phase === 'Running') seen.jobsRunning.note(name, at);
    if (phase === 'Stopped') seen.jobsStopped.note(name, at);
  };

  await Promise.all([
    followObjects(client, { resource: PODS, label: KUBEFLOW_LABELS.jobName, signal: ending.signal }, onPod),
    follow(client, ending.signal, onJob),
  ]);
  return {
    ...seen,
    lags: () => [...lastRunning].map(([job, at]) => (seen.jobsRunning.timeOf(job) ?? Number.NaN) - at),
    stop: () => ending.abort(),
  };
}

interface Source<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** That the objects have; all without one. */
  readonly label?: string;
  readonly signal: AbortSignal;
}

/**
 * Resolves when nothing that happens from now on can be missed. By a reflector, as the API server drops a watch that
 * cannot keep up with a burst.
 */
export function followObjects<T extends KubeObject>(
  client: ClusterClient,
  { resource, label, signal }: Source<T>,
  notify: (type: 'CHANGED' | 'DELETED', object: T, at: number) => void,
): Promise<void> {
  const selection = { namespace: NAMESPACE, labelSelector: label };
  return new Promise((begun) => {
    const handlers: ReflectorHandlers<T> = {
      replaced: (objects) => {
        for (const object of objects) notify('CHANGED', object, performance.now());
        begun();
      },
      changed: (object) => notify('CHANGED', object, performance.now()),
      deleted: (object) => notify('DELETED', object, performance.now()),
    };
    void reflect(client, { resource, selection }, handlers, signal);
  });
}
