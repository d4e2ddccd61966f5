import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { recordPods } from '../../../activities/evidence/record-pods.ts';
import { Semaphore } from '../../../activities/support/semaphore.ts';
import type { ClusterClient } from '../../../cluster/client.ts';
import type { ContainerStatus, Pod } from '../../../contracts/kubernetes.ts';
import type { PodsRecord } from '../../../contracts/types.ts';
import { FileStore } from '../../../evidence/file-store.ts';
import { podsRecordsOf } from '../../../evidence/pods-records.ts';
import type { EvidenceStore } from '../../../evidence/store.ts';
import { faultsBySchema } from '../../frameworks/schemas/validators.ts';
import { aPod, ended, restarted, running } from './pods.ts';
import { type Answer, standInCluster } from './stand-in-cluster.ts';

const JOB = { kind: 'PyTorchJob', namespace: 'ml', name: 'train' };
const RUN = { namespace: 'ml', name: 'train', anchorUid: 'anchor-1' };

let directory: string;
let store: FileStore;
let warnings: string[];
let nodes: Answer;
let asked: readonly string[];
let cluster: ClusterClient;
let close: () => Promise<void>;
beforeEach(async () => {
  nodes = { object: { metadata: { name: 'gpu-7', labels: { 'nvidia.com/gpu.product': 'H100-SXM' } } } };
  ({ cluster, asked, close } = await standInCluster(() => nodes));
  directory = await mkdtemp(join(tmpdir(), 'signalbox-pods-'));
  store = new FileStore(join(directory, 'evidence'));
  warnings = [];
});
afterEach(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

/** Records pods as an activity does; `deletion: false` for pods that stay. */
const record = (pods: readonly Pod[], { deletion = true, to = store as EvidenceStore } = {}) =>
  asyncLocalStorage.run({ log: { warn: (text: string) => warnings.push(text) } } as unknown as Context, () =>
    recordPods(
      { evidenceStore: to, cluster, bulk: new Semaphore(4) },
      { job: JOB, pods, isDeletion: deletion },
    ),
  );

interface Changes {
  readonly uid?: string;
  readonly attempt?: number;
  readonly pod?: Pod;
  readonly name?: string;
}

function aWorker(
  index: number,
  { uid = `uid-${index}`, attempt = 1, pod = aPod(), name }: Changes = {},
): Pod {
  const own = `train-worker-${index}`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: name ?? own,
      uid,
      creationTimestamp: '2026-11-21T09:00:00Z',
      labels: {
        'signalbox.dev/job': 'train',
        'signalbox.dev/role': 'worker',
        'signalbox.dev/index': String(index),
        'signalbox.dev/attempt': String(attempt),
        'signalbox.dev/pod': own,
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'train.signalbox', uid: 'anchor-1' }],
    },
  };
}

const ran = () => podsRecordsOf(store, RUN);
const uidsOf = (records: readonly PodsRecord[]) => records.map(({ pods }) => pods.map(({ uid }) => uid));

/** As a kubelet writes it. */
const IMAGE_ID = `registry.example/train@sha256:${'a'.repeat(64)}`;
const DONE: Pod = {
  ...aPod({
    phase: 'Succeeded',
    containers: [
      { ...ended(0, { reason: 'Completed', startedAt: '2026-11-21T09:01:00Z' }), imageID: IMAGE_ID },
    ],
    status: {
      startTime: '2026-11-21T09:00:02Z',
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-21T09:00:01Z' },
        { type: 'Ready', status: 'False', lastTransitionTime: '2026-11-21T10:00:01Z' },
      ],
    },
  }),
  spec: { nodeName: 'gpu-7', containers: [{ name: 'pytorch', image: 'registry.example/train:v1' }] },
};

describe('the record of the pods', () => {
  test('has nodes, times, images as the kubelet reports them, and ends', async () => {
    await record([aWorker(0, { pod: DONE })], { deletion: false });
    const [found] = await ran();
    expect(faultsBySchema('pods-record', JSON.parse(JSON.stringify(found)))).toEqual([]);
    expect(found).toMatchObject({
      schema: 'signalbox.dev/pods/v1',
      job: JOB,
      anchorUid: 'anchor-1',
      attempt: 1,
    });
    expect(found!.pods).toEqual([
      {
        pod: 'train-worker-0',
        uid: 'uid-0',
        role: 'worker',
        index: 0,
        attempt: 1,
        node: 'gpu-7',
        phase: 'Succeeded',
        createdAt: '2026-11-21T09:00:00Z',
        scheduledAt: '2026-11-21T09:00:01Z',
        startedAt: '2026-11-21T09:00:02Z',
        endedAt: '2026-11-21T10:00:00Z',
        containers: [
          {
            name: 'pytorch',
            image: 'registry.example/train:v1',
            imageID: IMAGE_ID,
            restarts: 0,
            startedAt: '2026-11-21T09:01:00Z',
            endedAt: '2026-11-21T10:00:00Z',
            exitCode: 0,
            reason: 'Completed',
          },
        ],
      },
    ]);
  });

  test('says when the deletion of a running pod was requested', async () => {
    const leaving = aPod({ containers: [running()], deletedAt: '2026-11-21T09:30:00Z' });
    await record([aWorker(0, { pod: aPod({ containers: [running()] }) }), aWorker(1, { pod: leaving })]);
    const [{ takenAt, pods } = {} as PodsRecord] = await ran();
    expect(pods).toMatchObject([{ deletedAt: takenAt }, { deletedAt: '2026-11-21T09:30:00Z' }]);
    for (const pod of pods) expect(pod).not.toHaveProperty('endedAt');
  });

  test.each<[string, ContainerStatus, object]>([
    ['runs again after a crash', restarted(3), { restarts: 1, startedAt: '2026-11-21T10:00:01Z' }],
    [
      'waits for its next run',
      { ...restarted(3), state: { waiting: { reason: 'CrashLoopBackOff' } } },
      { restarts: 1, exitCode: 3, endedAt: '2026-11-21T10:00:00Z', reason: 'CrashLoopBackOff' },
    ],
    [
      'never started',
      { name: 'pytorch', imageID: '', state: { waiting: { reason: 'ErrImagePull' } } },
      { restarts: 0, reason: 'ErrImagePull' },
    ],
  ])('has a container that %s', async (_what, status, expected) => {
    await record([aWorker(0, { pod: aPod({ containers: [status] }) })]);
    const [found] = await ran();
    expect(found!.pods[0]!.containers).toEqual([{ name: 'pytorch', image: '', ...expected }]);
  });

  test('has init containers, and ephemeral containers added to a running pod', async () => {
    const more = {
      ...DONE,
      spec: {
        ...DONE.spec,
        initContainers: [{ name: 'fetch', image: 'curl' }],
        ephemeralContainers: [{ name: 'debugger', image: 'busybox' }],
      },
      status: {
        ...DONE.status,
        ephemeralContainerStatuses: [{ name: 'debugger', imageID: 'busybox@sha256:b' }],
      },
    };
    await record([aWorker(0, { pod: more })]);
    const [found] = await ran();
    expect(found!.pods[0]!.containers).toMatchObject([
      { name: 'fetch', isInit: true, image: 'curl' },
      { name: 'pytorch' },
      { name: 'debugger', isEphemeral: true, imageID: 'busybox@sha256:b' },
    ]);
  });
});

describe('the GPUs of a pod', () => {
  const resources = { limits: { 'nvidia.com/gpu': '8', memory: '1Gi' } };
  const onGpus: Pod = { ...DONE, spec: { ...DONE.spec, containers: [{ name: 'pytorch', resources }] } };
  const gpusOf = async () =>
    (await ran()).flatMap(({ pods }) => pods.map(({ gpus, gpuProduct }) => [gpus, gpuProduct]));

  test('are recorded with their number and the product of the node', async () => {
    await record([aWorker(0, { pod: onGpus }), aWorker(1, { pod: onGpus })]);
    expect(await gpusOf()).toEqual(Array(2).fill([{ 'nvidia.com/gpu': 8 }, 'H100-SXM']));
    expect(asked).toEqual(['/api/v1/nodes/gpu-7']);
  });

  test('are returned for the ledger, by role', async () => {
    const products = { worker: { 'H100-SXM': 2 } };
    expect(await record([aWorker(0, { pod: onGpus }), aWorker(1, { pod: onGpus })])).toEqual({ products });
    expect(await record([aWorker(2, { pod: DONE })])).toEqual({});
  });

  test('cost no request for pods without GPUs', async () => {
    await record([aWorker(0, { pod: DONE })]);
    expect(await gpusOf()).toEqual([[undefined, undefined]]);
    expect(asked).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['may not be read', { refused: 403, message: 'no' }],
    ['does not exist any more', { refused: 404, message: 'no' }],
    ['does not come in time', 'silent'],
  ])('have no product if the node %s', async (_why, answer) => {
    nodes = answer;
    await record([aWorker(0, { pod: onGpus })]);
    expect(await gpusOf()).toEqual([[{ 'nvidia.com/gpu': 8 }, undefined]]);
    expect(warnings).toEqual([]);
  });
});

describe('the records of a job', () => {
  test('are one for each attempt, with pods that were replaced within it', async () => {
    await record([aWorker(1)]);
    await record([aWorker(0), aWorker(1, { uid: 'uid-1-again' }), aWorker(10)]);
    await record([aWorker(0, { attempt: 2, uid: 'uid-2' })]);
    const records = await ran();
    expect(records.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(uidsOf(records)).toEqual([['uid-0', 'uid-1', 'uid-1-again', 'uid-10'], ['uid-2']]);
  });

  test('have each pod once, as last read, also if an activity is retried or interrupted', async () => {
    const pods = [aWorker(0), aWorker(1)];
    await record(pods);
    await record(pods.toReversed());
    expect(await store.list('ml/train/anchor-1')).toHaveLength(1);
    await record([aWorker(1, { pod: DONE })]);
    const [found] = await ran();
    expect(found!.pods).toMatchObject([{ phase: 'Running' }, { phase: 'Succeeded', uid: 'uid-1' }]);
  });

  test('do not have copies of pods, which are no replicas, or other jobs', async () => {
    await record([aWorker(0), aWorker(0, { uid: 'copy', name: 'debug' })]);
    expect(uidsOf(await ran())).toEqual([['uid-0']]);
    expect(await podsRecordsOf(store, { ...RUN, anchorUid: 'anchor-2' })).toEqual([]);
  });

  test('of a later version are refused by name', async () => {
    await record([aWorker(0)]);
    const [key] = await store.list('ml/train/anchor-1');
    await store.write(key!, JSON.stringify({ schema: 'signalbox.dev/pods/v2' }));
    await expect(ran()).rejects.toThrow(`${key}: expected a record of pods`);
  });
});

describe('a record store', () => {
  test('gets a thousand pods in one write', async () => {
    const writes: string[] = [];
    const counting = { write: async (_key: string, text: string) => writes.push(text) };
    const pods = Array.from({ length: 1_000 }, (_, index) => aWorker(index, { pod: DONE }));
    await record(pods, { to: counting as unknown as EvidenceStore });
    expect(writes).toHaveLength(1);
    expect(writes[0]!.length).toBeLessThan(1_000_000);
  });

  test('is not written to without pods', async () => {
    await record([]);
    expect(await store.list('ml')).toEqual([]);
  });

  test('that cannot be written to fails no activity, and the log has the error', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await record([aWorker(0)], { to: new FileStore(file) });
    expect(warnings).toEqual([
      expect.stringMatching(/ran in ml\/train could not be written: .*(ENOTDIR|EEXIST)/),
    ]);
  });

  test('that does not answer does not delay the job, and the log has the time-out', async () => {
    const silent = { write: () => new Promise(() => undefined) };
    await record([aWorker(0)], { to: silent as unknown as EvidenceStore });
    expect(warnings).toEqual([expect.stringContaining('has not answered within 2000 ms')]);
  });
});
