import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { takeEvidence } from '../../../activities/evidence/take-evidence.ts';
import { Semaphore } from '../../../activities/support/semaphore.ts';
import type { Pod } from '../../../contracts/kubernetes.ts';
import { DEFAULT_POLICY } from '../../../contracts/policy.ts';
import { DEFAULT_CONVENTIONS, type TrainingJob } from '../../../contracts/training-job.ts';
import type { EvidenceRecord, Policy } from '../../../contracts/types.ts';
import { FileStore } from '../../../evidence/file-store.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { faultsBySchema } from '../../frameworks/schemas/validators.ts';
import { aPod, ended, restarted } from './pods.ts';
import { type Answer, type StandInCluster, standInCluster } from './stand-in-cluster.ts';

let directory: string;
let store: FileStore;
let api: StandInCluster;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-evidence-'));
  store = new FileStore(join(directory, 'evidence'));
});
afterEach(async () => {
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

/** A cluster with one node, some events, and a log; a test says what is otherwise. */
async function aCluster(
  otherwise: (path: string, query: URLSearchParams) => Answer | undefined = () => undefined,
) {
  api = await standInCluster((path, query) => otherwise(path, query) ?? usual(path, query));
}

function usual(path: string, query: URLSearchParams): Answer {
  if (path.endsWith('/log')) return { text: query.has('previous') ? 'before\n' : 'first\nCUDA error: 700\n' };
  if (path.endsWith('/events'))
    return { object: { items: [anEvent('Started', 1), anEvent('Scheduled', 0)] } };
  return { object: aNode('True') };
}

const aNode = (ready: string) => ({
  metadata: { name: 'gpu-7' },
  spec: { unschedulable: true, taints: [{ key: 'broken', effect: 'NoSchedule' }] },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

const anEvent = (reason: string, second: number) => ({
  metadata: { name: reason },
  type: 'Normal',
  reason,
  message: `it ${reason}`,
  lastTimestamp: `2026-11-21T09:00:0${second}Z`,
});

function aJob(policy: Partial<Policy> = {}): TrainingJob {
  const template = { spec: { containers: [{ name: 'pytorch', image: 'train' }] } };
  const manifest = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name: 'train', namespace: 'ml' },
    spec: { pytorchReplicaSpecs: { Worker: { replicas: 2, template } } },
  };
  const parsed = parseManifest(manifest, { namespace: 'ml', conventions: DEFAULT_CONVENTIONS });
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  return { ...parsed.job, plan: { ...parsed.job.plan, policy: { ...DEFAULT_POLICY, ...policy } } };
}

const CONNECTIONS = 8;

const take = (pods: readonly Pod[], job = aJob()) =>
  takeEvidence(
    {
      cluster: api.cluster,
      bulk: new Semaphore(CONNECTIONS),
      connections: CONNECTIONS,
      evidenceStore: store,
    } as never,
    {
      job,
      pods,
      signal: new AbortController().signal,
    },
  );

function aWorker(
  index: number,
  pod = aPod({ phase: 'Failed', containers: [ended(1, { reason: 'Error' })] }),
): Pod {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: `train-worker-${index}`,
      uid: `00000000-0000-4000-8000-00000000000${index}`,
      labels: {
        'signalbox.dev/job': 'train',
        'signalbox.dev/role': 'worker',
        'signalbox.dev/index': String(index),
        'signalbox.dev/attempt': '2',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'train.signalbox', uid: 'anchor-1' }],
    },
  };
}

/** Every record must also be valid by the published schema. */
async function recordOf(ref: string | undefined): Promise<EvidenceRecord> {
  const record = JSON.parse((await store.find(store.keyOf(ref!)!))!) as EvidenceRecord;
  expect(faultsBySchema('evidence-record', record)).toEqual([]);
  return record;
}

describe('evidence of a failed pod', () => {
  test('is its record in the store, and a summary with the one line of its log that says why', async () => {
    await aCluster();
    const [summary, ...others] = await take([aWorker(1)]);
    expect(others).toEqual([]);
    expect(summary).toMatchObject({
      pod: 'train-worker-1',
      role: 'worker',
      index: 1,
      attempt: 2,
      node: 'gpu-7',
    });
    expect(summary).toMatchObject({
      container: 'pytorch',
      exitCode: 1,
      reason: 'Error',
      incomplete: undefined,
    });
    expect(summary?.errorLine).toBe('CUDA error: 700');
    expect(JSON.stringify(summary)).not.toContain('first');
    const record = await recordOf(summary?.ref);
    expect(record.containers[0]).toMatchObject({
      log: { lines: ['first', 'CUDA error: 700'], isCut: false },
    });
    expect(record.node).toMatchObject({ name: 'gpu-7', unschedulable: true, taints: [{ key: 'broken' }] });
    expect(record.events.map(({ reason }) => reason)).toEqual(['Scheduled', 'Started']);
  });

  test('has the previous log of a container that was restarted in place', async () => {
    await aCluster();
    const [summary] = await take([aWorker(1, aPod({ containers: [restarted(3)] }))]);
    const { containers } = await recordOf(summary?.ref);
    expect(containers[0]).toMatchObject({
      previousLog: { lines: ['before'] },
      lastState: { terminated: { exitCode: 3 } },
    });
  });

  test('says at which step the program was, if its log shows steps', async () => {
    const line = (second: number) => `step ${second} of 90 loss 0.5`;
    const log = (isTimed: boolean) =>
      [10, 11, 12, 13].map(
        (second) => `${isTimed ? `2026-11-21T10:00:${second}.000000000Z ` : ''}${line(second)}\n`,
      );
    await aCluster((path, query) =>
      path.endsWith('/log') ? { text: log(query.get('timestamps') === 'true').join('') } : undefined,
    );
    const [summary] = await take([aWorker(1)]);
    const { steps, containers } = await recordOf(summary?.ref);
    expect(steps).toMatchObject({ step: 13, total: 90, at: '2026-11-21T10:00:13.000Z', secondsPerStep: 1 });
    expect(steps?.sentence).toMatch(/^no step since 2026-11-21T10:00:13Z, usually one every 1s/);
    expect(containers[0]?.log?.lines.at(-1)).toBe(line(13));
  });

  test('is not taken again: the existing record has the summary', async () => {
    await aCluster();
    const taken = await take([aWorker(1)]);
    const asked = api.asked.length;
    expect(JSON.parse(JSON.stringify(await take([aWorker(1)])))).toEqual(JSON.parse(JSON.stringify(taken)));
    expect(api.asked).toHaveLength(asked);
  });

  test('is taken again when a container that was restarted in place fails again', async () => {
    await aCluster();
    const failedAgain = ended(4, { at: '2026-11-21T10:05:00Z' });
    await take([aWorker(1, aPod({ containers: [restarted(3)] }))]);
    const [summary] = await take([aWorker(1, aPod({ containers: [failedAgain] }))]);
    expect(summary).toMatchObject({ exitCode: 4 });
    expect(await recordOf(summary?.ref)).toMatchObject({ failedAt: '2026-11-21T10:05:00Z' });
  });

  test('is taken again when the program fails twice in one second', async () => {
    await aCluster();
    const end = (restartCount: number, exitCode: number) => ({ ...ended(exitCode), restartCount });
    await take([aWorker(1, aPod({ containers: [end(0, 3)] }))]);
    const [summary] = await take([aWorker(1, aPod({ containers: [end(1, 4)] }))]);
    expect(summary).toMatchObject({ exitCode: 4, ends: 2 });
  });

  test('is of the run whose log was read, if the program is restarted and ends meanwhile', async () => {
    const now = aWorker(1, aPod({ containers: [{ ...ended(4), restartCount: 1 }] }));
    await aCluster((path) => (path.endsWith('/pods/train-worker-1') ? { object: now } : undefined));
    const rules = [{ class: 'userCode', pattern: 'CUDA error' }];
    const job = aJob({ failures: { rules, classes: {} } });
    const [summary] = await take([aWorker(1, aPod({ containers: [ended(3)] }))], job);
    expect(summary).toMatchObject({ exitCode: 4, ends: 2, matches: [0] });
    expect((await recordOf(summary?.ref)).containers[0]?.restarts).toBe(1);
  });

  test('is in the order of the failures', async () => {
    await aCluster();
    const failedAt = (at: string) => aPod({ phase: 'Failed', containers: [ended(1, { at })] });
    const pods = [
      aWorker(0, failedAt('2026-11-21T10:00:02Z')),
      aWorker(1, failedAt('2026-11-21T10:00:01Z')),
      aWorker(2, failedAt('2026-11-21T10:00:01Z')),
    ];
    expect((await take(pods)).map(({ index }) => index)).toEqual([1, 2, 0]);
  });

  test('needs one request for each node', async () => {
    await aCluster();
    await take([aWorker(0), aWorker(1), aWorker(2)]);
    expect(api.asked.filter((path) => path.includes('/nodes/'))).toHaveLength(1);
  });
});

describe('policy rules whose pattern is found', () => {
  const rules = [
    { class: 'userCode', pattern: '^CUDA error: \\d+$' },
    { class: 'userCode', pattern: 'nowhere' },
    { class: 'userCode', exitCodes: [[1, 1]] as const },
    { class: 'userCode', pattern: 'in the message' },
  ];

  test('are listed by their path', async () => {
    await aCluster();
    const pod = aPod({ phase: 'Failed', containers: [ended(1, { message: 'it is in the message' })] });
    const [summary] = await take([aWorker(1, pod)], aJob({ failures: { rules, classes: {} } }));
    expect(summary?.matches).toEqual([0, 3]);
  });
});

describe('a record notes what could not be captured:', () => {
  test('a node without read permission', async () => {
    await aCluster((path) =>
      path.includes('/nodes/') ? { refused: 403, message: 'no right to nodes' } : undefined,
    );
    const [summary] = await take([aWorker(1)]);
    expect(summary?.incomplete).toBe('node: 403 no right to nodes');
    expect((await recordOf(summary?.ref)).containers[0]?.log?.lines).toContain('first');
  });

  test('a deleted node and its log', async () => {
    await aCluster((path) => (path.includes('/nodes/') ? { refused: 404, message: 'not found' } : undefined));
    const [summary] = await take([aWorker(1)]);
    expect(summary?.incomplete).toContain('node: gpu-7 no longer exists');
    expect(summary?.incomplete).toContain('log of pytorch: node gpu-7 no longer exists');
  });

  test('a log on a node that is not ready, without a request to its kubelet', async () => {
    await aCluster((path) => (path.includes('/nodes/') ? { object: aNode('Unknown') } : undefined));
    const [summary] = await take([aWorker(1)]);
    expect(summary?.incomplete).toBe('log of pytorch: node gpu-7 is not ready');
    expect(api.asked.filter((path) => path.endsWith('/log'))).toEqual([]);
  });

  test('the events', async () => {
    await aCluster((path) =>
      path.endsWith('/events') ? { refused: 500, message: 'etcd is away' } : undefined,
    );
    const [summary] = await take([aWorker(1)]);
    expect(summary).toMatchObject({ incomplete: 'events: 500 etcd is away', ref: expect.any(String) });
  });

  test('the whole record, if the store cannot be written to: the summary has no ref', async () => {
    await aCluster();
    await writeFile(join(directory, 'evidence'), 'no directory');
    const [summary] = await take([aWorker(1)]);
    expect(summary).toMatchObject({ exitCode: 1, ref: undefined });
    expect(summary?.incomplete).toMatch(/^store: .*(ENOTDIR|EEXIST)/);
  });

  test('the logs of a kubelet that does not answer, after one time-out of five seconds for all pods of the node', async () => {
    await aCluster((path) => (path.endsWith('/log') ? 'silent' : undefined));
    const pods = Array.from({ length: 9 }, (_, index) => aWorker(index));
    const summaries = await take([...pods, ...pods.map((pod) => again(pod))]);
    const reasons = summaries.map(({ incomplete }) => incomplete);
    expect(new Set(reasons)).toEqual(
      new Set(['log of pytorch: no answer within 5 s', 'log of pytorch: node gpu-7 did not answer before']),
    );
    // Those that are asked side by side wait the same five seconds; nobody is asked after that.
    const asked = api.asked.filter((path) => path.endsWith('/log'));
    expect(asked.length).toBeLessThanOrEqual(CONNECTIONS);
  });
});

/** The pod that took another's place, and failed as well. */
const again = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, uid: pod.metadata.uid?.replace(/^0/, '1') },
});
