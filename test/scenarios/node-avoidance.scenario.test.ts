import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { failPod, type PodEnd } from './failed-pods.ts';
import { turnNotReady, turnReady } from './failing-nodes.ts';
import { gangJob } from './gang-jobs.ts';
import { withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Nodes that failed a job, from which its later pods keep away. */

let stage: Stage;
/** Any of its nodes has room for all pods of a job: where none are is not for want of room. */
let pool: NodePool;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  pool = await openNodePool(stage.cluster, { nodes: [10, 10, 10] });
});

afterAll(async () => {
  await pool?.remove();
  await stage?.close();
});

async function running(name: string, nodes: object, restart: object = {}): Promise<JobHandle> {
  const { namespace } = stage;
  const manifest = gangJob({ name, namespace, pool, pods: 3, gang: 'none', restartPolicy: 'OnFailure' });
  const policy = { nodes, restart: { backOff: { initial: '0s' }, ...restart } };
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

async function stopped(job: JobHandle): Promise<void> {
  await job.stop({});
  expect((await job.wait()).phase).toBe('Stopped');
}

/** For as long as the pod needs that replaces the failed one, on a busy machine too. */
const AVOID_BRIEFLY = { avoidFor: '8s' };

/** Its time began when the pod failed, and is told in whole seconds. */
const untilAvoidanceIsOver = () => {
  const over = Date.now() + 9_000;
  return eventually('the node is no longer avoided', () => Date.now() > over);
};

const EVICTED: PodEnd = { exitCode: 137, disruption: 'EvictionByEvictionAPI' };
const CRASHED: PodEnd = { exitCode: 1 };

/** Lets a pod fail; gives the node that it was on, once the job runs again. */
async function failsOn(job: JobHandle, pod: string, end: PodEnd): Promise<string> {
  const { restarts } = await statusOf(job);
  const { spec } = await stage.pod(pod);
  await failPod(stage, pod, end);
  await untilRestarted(job, restarts + 1);
  return spec.nodeName!;
}

/** Nodes on which a pod must not be placed. */
const excludedFrom = ({ spec }: Pod): unknown =>
  (spec.affinity as Affinity | undefined)?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    ?.nodeSelectorTerms[0]?.matchFields;

interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly { readonly matchFields?: unknown }[];
    };
  };
}

const notOn = (...values: readonly string[]) => [{ key: 'metadata.name', operator: 'NotIn', values }];

const avoidedBy = async (job: JobHandle) => Object.keys((await statusOf(job)).avoided ?? {});

describe('a node with a failed pod', () => {
  it.concurrent('is avoided by the replacement pod, for the stated time', async () => {
    const job = await running('avoids', { avoidFor: '1h' });
    const before = Date.now();
    const node = await failsOn(job, 'avoids-worker-0', EVICTED);
    const pod = await stage.pod('avoids-worker-0');
    expect(pod.spec.nodeName).not.toBe(node);
    expect(excludedFrom(pod)).toEqual(notOn(node));
    const { avoided } = await statusOf(job);
    expect(Object.keys(avoided!)).toEqual([node]);
    expect(Math.round((Date.parse(avoided![node]!) - before) / 600_000)).toBe(6);
    await stopped(job);
  });

  it.concurrent('is not avoided after a failure of the program, or if the policy does not say so', async () => {
    const [crashes, evicted] = await Promise.all([
      running('crashes', { avoidFor: '1h' }),
      running('goes', {}),
    ]);
    await Promise.all([
      failsOn(crashes, 'crashes-worker-0', CRASHED),
      failsOn(evicted, 'goes-worker-0', EVICTED),
    ]);
    for (const pod of ['crashes-worker-0', 'goes-worker-0']) {
      expect(excludedFrom(await stage.pod(pod))).toBeUndefined();
    }
    expect([await avoidedBy(crashes), await avoidedBy(evicted)]).toEqual([[], []]);
    await Promise.all([stopped(crashes), stopped(evicted)]);
  });

  it.concurrent('is no longer avoided when later nodes exceed the maximum of the policy', async () => {
    const job = await running('few', { avoidFor: '1h', avoidAtMost: 1 });
    const first = await failsOn(job, 'few-worker-0', EVICTED);
    expect(await avoidedBy(job)).toEqual([first]);
    // Made again elsewhere: its next node is another one.
    const second = await failsOn(job, 'few-worker-0', EVICTED);
    expect(second).not.toBe(first);
    expect(await avoidedBy(job)).toEqual([second]);
    expect(excludedFrom(await stage.pod('few-worker-0'))).toEqual(notOn(second));
    await stopped(job);
  });

  it.concurrent('is no longer avoided when the time has expired', async () => {
    const job = await running('expires', AVOID_BRIEFLY);
    const first = await failsOn(job, 'expires-worker-0', EVICTED);
    await untilAvoidanceIsOver();
    const second = await failsOn(job, 'expires-worker-0', EVICTED);
    expect(excludedFrom(await stage.pod('expires-worker-0'))).toEqual(notOn(second));
    expect(second).not.toBe(first);
    await stopped(job);
  });
});

describe('a node that is no longer avoided', () => {
  /** Without another one beside it. */
  let only: NodePool;

  beforeAll(async () => {
    only = await openNodePool(stage.cluster, { nodes: [10] });
  });

  afterAll(() => only?.remove());

  const onOnlyNode = async (name: string, nodes: object, finalizers?: readonly string[]) => {
    const { namespace } = stage;
    const options = {
      name,
      namespace,
      pool: only,
      pods: 3,
      gang: 'none',
      restartPolicy: 'OnFailure',
    } as const;
    const policy = { nodes, restart: { backOff: { initial: '0s' } } };
    const job = await stage.client.submit(withPolicy(gangJob({ ...options, finalizers }), policy));
    await untilPhase(job, 'Running');
    return job;
  };

  it.concurrent('gets pods that waited for it', async () => {
    const job = await onOnlyNode('waits', { avoidFor: '20s' });
    await failPod(stage, 'waits-worker-0', EVICTED);
    await untilStatus(job, 'it waits', ({ state }) => state === 'Pending.Scheduling');
    const waiting = await stage.pod('waits-worker-0');
    expect(excludedFrom(waiting)).toBeDefined();
    const { timeline, restarts } = await untilRestarted(job, 1);
    expect(restarts).toBe(1);
    expect(timeline.map(({ cause }) => cause)).toContainEqual(
      expect.stringContaining('is no longer avoided: waiting pods are recreated'),
    );
    const placed = await stage.pod('waits-worker-0');
    expect(placed.metadata.uid).not.toBe(waiting.metadata.uid);
    expect(excludedFrom(placed)).toBeUndefined();
    await stopped(job);
  });

  it.concurrent('gets pods that are created after that, though they were decided before', async () => {
    const finalizer = 'test.signalbox.dev/stays';
    const job = await onOnlyNode('later', AVOID_BRIEFLY, [finalizer]);
    const failed = await stage.pod('later-worker-0');
    await failPod(stage, 'later-worker-0', EVICTED);
    await untilStatus(job, 'it is to be replaced', ({ state }) => state === 'Restarting.Replacing');
    await untilAvoidanceIsOver();
    expect((await stage.pod('later-worker-0')).metadata.uid).toBe(failed.metadata.uid);
    await letGo('later-worker-0');
    const { timeline } = await untilRestarted(job, 1);
    expect(timeline.map(({ cause }) => cause)).not.toContainEqual(
      expect.stringContaining('waiting pods are recreated'),
    );
    expect(excludedFrom(await stage.pod('later-worker-0'))).toBeUndefined();
    const stopping = stopped(job);
    await Promise.all(['master-0', 'worker-0', 'worker-1'].map((pod) => letGo(`later-${pod}`)));
    await stopping;
  });

  const letGo = (name: string) =>
    stage.cluster.patch(PODS, { namespace: stage.namespace, name }, { metadata: { finalizers: null } });
});

describe('a gang that restarts elsewhere', () => {
  // By itself: it takes a node from all.
  it('avoids the node on which a pod was lost, also when that is ready again', async () => {
    const restart = {
      ladder: [{ scope: 'gangElsewhere' }],
      backOff: { initial: '1h', max: '1h', firstAtOnce: false },
    };
    const job = await running('elsewhere', { lostAfter: '0s', avoidFor: '2h' }, restart);
    const node = (await stage.pod('elsewhere-worker-0')).spec.nodeName!;
    await turnNotReady(stage, node);
    try {
      await untilStatus(job, 'it waits to start again', ({ state }) => state === 'Restarting.Drained');
    } finally {
      await turnReady(stage, node);
    }
    await job.retryNow({});
    const { avoided } = await untilAttempt(job, 2);
    expect(Object.keys(avoided!)).toEqual([node]);
    for (const pod of await stage.pods('elsewhere')) {
      expect(pod.spec.nodeName).not.toBe(node);
      expect(excludedFrom(pod)).toEqual(notOn(node));
    }
    await stopped(job);
  });
});
