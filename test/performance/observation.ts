import type { ClusterClient } from '../../cluster/client.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import { CONFIG_MAPS, type ConfigMap, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../contracts/labels.ts';
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
  /** Jobs by name; the phase as the anchor has it. */
  readonly jobsRunning: Milestone;
  readonly jobsStopped: Milestone;
  /** From the last of a job's pods that came to run, to the job's phase Running, in milliseconds. */
  lags(): number[];
  stop(): void;
}

/** Begins to watch; resolves when nothing that happens from now on can be missed. */
export async function observe(client: ClusterClient, workload: Workload): Promise<Observation> {
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
    const job = labels?.[LABELS.job] ?? '';
    if (!job.startsWith(`${workload.prefix}-`)) return;
    if (type === 'DELETED') return seen.gone.note(name, at);
    seen.created.note(name, at);
    if (pod.status?.phase !== 'Running' || seen.running.timeOf(name)) return;
    seen.running.note(name, at);
    lastRunning.set(job, at);
  };
  const onAnchor = (_type: string, { metadata }: ConfigMap, at: number) => {
    const job = metadata.labels?.[LABELS.job] ?? '';
    const phase = metadata.annotations?.[ANNOTATIONS.phase];
    if (!job.startsWith(`${workload.prefix}-`)) return;
    if (phase === 'Running') seen.jobsRunning.note(job, at);
    if (phase === 'Stopped') seen.jobsStopped.note(job, at);
  };

  await Promise.all([
    followObjects(client, { resource: PODS, label: LABELS.job, signal: ending.signal }, onPod),
    followObjects(client, { resource: CONFIG_MAPS, label: LABELS.anchor, signal: ending.signal }, onAnchor),
  ]);
  return {
    ...seen,
    lags: () => [...lastRunning].map(([job, at]) => (seen.jobsRunning.timeOf(job) ?? Number.NaN) - at),
    stop: () => ending.abort(),
  };
}

interface Source<T extends Pod | ConfigMap> {
  readonly resource: Resource<T>;
  readonly label: string;
  readonly signal: AbortSignal;
}

/**
 * Resolves when nothing that happens from now on can be missed. By a reflector, as the API server drops a watch that
 * cannot keep up with a burst.
 */
export function followObjects<T extends Pod | ConfigMap>(
  client: ClusterClient,
  { resource, label, signal }: Source<T>,
  tell: (type: 'CHANGED' | 'DELETED', object: T, at: number) => void,
): Promise<void> {
  const selection = { namespace: NAMESPACE, labelSelector: label };
  return new Promise((begun) => {
    const handlers: ReflectorHandlers<T> = {
      replaced: (objects) => {
        for (const object of objects) tell('CHANGED', object, performance.now());
        begun();
      },
      changed: (object) => tell('CHANGED', object, performance.now()),
      deleted: (object) => tell('DELETED', object, performance.now()),
    };
    void reflect(client, { resource, selection }, handlers, signal);
  });
}
