import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { Milestone } from './milestone.ts';
import { followObjects } from './observation.ts';
import { cpuNow, cpuSince } from './process-usage.ts';
import { manifestsOf, type Workload } from './workload.ts';

/** How soon jobs are admitted, one after the other. */
export interface Admissions {
  /** From each job's submission until all of its pods are seen to exist. */
  readonly milliseconds: readonly number[];
  /** Of all processes, from the first submission until the last job is stopped. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

interface Tools {
  readonly cluster: ClusterClient;
  readonly client: SignalboxClient;
  readonly pids: Readonly<Record<string, number>>;
}

const LIMIT_MS = 120_000;

/** Each job is stopped and gone before the next one comes. */
export async function admitJobs({ cluster, client, pids }: Tools, workload: Workload): Promise<Admissions> {
  const created = Array.from(
    { length: workload.jobs },
    (_, index) => new Milestone(`pods of job ${index}`, workload.podsPerJob),
  );
  const watching = new AbortController();
  const source = { resource: PODS, label: LABELS.job, signal: watching.signal };
  await followObjects(cluster, source, (_, { metadata: { name, labels } }, at) => {
    const [, prefix, index] = /^(.*)-(\d+)$/.exec(labels?.[LABELS.job] ?? '') ?? [];
    if (prefix === workload.prefix) created[Number(index)]!.note(name, at);
  });
  try {
    const before = await cpuNow(pids);
    const milliseconds: number[] = [];
    for (const [index, manifest] of manifestsOf(workload).entries()) {
      const start = performance.now();
      const job = await client.submit(manifest);
      milliseconds.push((await created[index]!.reached(LIMIT_MS)) - start);
      await job.stop({ by: 'bench' });
      await job.wait();
    }
    return { milliseconds, cpuSeconds: await cpuSince(before, pids) };
  } finally {
    watching.abort();
  }
}
