import { parseArgs } from 'node:util';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { reflect } from '../../cluster/reflector.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { BenchEngine } from './bench-engine.ts';
import { Milestone } from './milestone.ts';
import { measureRawLimit } from './raw-limit.ts';
import { inSeconds, spreadOf } from './spread.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';
import { NAMESPACE, restartingGang } from './workload.ts';

/**
 * `npm run bench:restart`: one pod of a gang fails, and the gang starts again. Measured is the time from when the pod is
 * seen to have failed until every pod of the next attempt is seen to exist, without grace period and back-off; beside it
 * what the cluster itself needs to delete and create as many pods.
 */

const LIMIT_MS = 120_000;
const TARGET_MS = 3_000;
const FAILS = { 'signalbox.dev/simulate': 'failed', 'signalbox.dev/simulate-exit-code': '1' };

const { values } = parseArgs({
  options: { pods: { type: 'string', default: '100' }, rounds: { type: 'string', default: '9' } },
});
const pods = Number(values.pods);
const rounds = Number(values.rounds);
const say = (text: string) => void process.stderr.write(`${text}\n`);

report(await inThrowawaySandbox(2 * pods, measure));

interface Result {
  /** Milliseconds, of each round. */
  readonly restarts: readonly number[];
  readonly raw: { readonly deleted: number; readonly created: number };
}

async function measure(place: ThrowawaySandbox): Promise<Result> {
  const settings = { ...place, connections: 64 };
  say(`raw limit: ${pods} pods created and deleted`);
  const raw = await measureRawLimit(settings, { prefix: 'raw', jobs: 1, podsPerJob: pods });
  const engine = await BenchEngine.start(settings);
  const { jobs, cluster } = engine.clients;
  try {
    const job = await jobs.submit(restartingGang({ prefix: 'gang', jobs: 1, podsPerJob: pods }));
    const restarts = await restartOften(cluster, job);
    await job.stop({ by: 'bench' });
    await job.wait();
    return { restarts, raw };
  } finally {
    await engine.close();
  }
}

async function restartOften(cluster: ClusterClient, job: JobHandle): Promise<number[]> {
  const times: number[] = [];
  for (let attempt = 1; attempt <= rounds; attempt++) {
    await untilRunning(job, attempt);
    const milliseconds = await failOne(cluster, attempt);
    say(`restart ${attempt} of ${rounds}: ${(milliseconds / 1000).toFixed(2)} s`);
    times.push(milliseconds);
  }
  return times;
}

async function untilRunning(job: JobHandle, attempt: number): Promise<void> {
  for await (const status of job.watch())
    if (status.attempt === attempt && status.phase === 'Running') return;
}

async function failOne(cluster: ClusterClient, attempt: number): Promise<number> {
  const failed = new Milestone('pods failed', 1);
  const created = new Milestone('pods of the next attempt', pods);
  const ending = new AbortController();
  const look = ({ metadata, status }: Pod) => {
    const isNext = metadata.labels?.[LABELS.attempt] === String(attempt + 1);
    if (isNext) created.note(metadata.name, performance.now());
    else if (status?.phase === 'Failed') failed.note('first', performance.now());
  };
  const selection = { namespace: NAMESPACE, labelSelector: LABELS.job };
  const handlers = {
    replaced: (all: readonly Pod[]) => all.forEach(look),
    changed: look,
    deleted: () => undefined,
  };
  void reflect(cluster, { resource: PODS, selection }, handlers, ending.signal);
  try {
    const name = `gang-0-worker-${attempt % (pods - 1)}`;
    await cluster.patch(PODS, { namespace: NAMESPACE, name }, { metadata: { annotations: FAILS } });
    const start = await failed.reached(LIMIT_MS);
    return (await created.reached(LIMIT_MS)) - start;
  } finally {
    ending.abort();
  }
}

function report({ restarts, raw }: Result): void {
  const spread = spreadOf(restarts);
  const floor = raw.deleted + raw.created;
  const verdict = spread.median < TARGET_MS ? 'met' : 'missed';
  console.log(`gang of ${pods}, ${rounds} restarts, from a pod's failure to all pods of the next attempt`);
  console.log(`  engine     ${inSeconds(spread)}; target ${TARGET_MS / 1000} s: ${verdict}`);
  console.log(
    `  raw limit  ${(floor / 1000).toFixed(2)} s to delete and create as many pods, Services and a group`,
  );
  console.log(`  ratio      ${(spread.median / floor).toFixed(2)}`);
}
