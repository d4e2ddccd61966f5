import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { manifestOfCase } from '../cases/case-path.ts';
import { attemptsOf, courseOf, renewed, untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { die, removeByHand } from './failing-nodes.ts';
import { type GangJobOptions, gangJob } from './gang-jobs.ts';
import { letGo } from './kept-pods.ts';
import { withPolicy } from './manifests.ts';
import { openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Pods that were told to stop, and do not go: on nodes that do not end them any more, or for a finalizer. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

interface Case {
  readonly name: string;
  readonly policy: { readonly nodes?: object; readonly restart?: object };
  readonly kubelet: 'dead' | 'silent' | 'unheard' | 'well';
  readonly job?: Pick<GangJobOptions, 'elasticPolicy' | 'finalizers'>;
  /** By the end of its name. */
  readonly stuck?: string;
}

interface Stuck {
  readonly pod: string;
  readonly node: string;
}

/** A job of three pods on three of four nodes, one of which has nobody who ends pods; it is stopped in the end. */
async function withDeadNode(
  { name, policy, kubelet, job: options, stuck = 'worker-0' }: Case,
  work: (job: JobHandle, stuck: Stuck) => Promise<void>,
): Promise<void> {
  const pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1, 1] });
  try {
    const manifest = gangJob({
      ...{ name, namespace: stage.namespace, pool, pods: 3, gang: 'none', restartPolicy: 'OnFailure' },
      ...options,
    });
    const job = await stage.client.submit(withPolicy(manifest, policy));
    await untilPhase(job, 'Running');
    const pod = `${name}-${stuck}`;
    const node = (await stage.pod(pod)).spec.nodeName!;
    if (kubelet !== 'well') await die(stage, node, kubelet);
    await work(job, { pod, node });
    for (const { metadata } of await stage.pods(name)) await letGo(stage, metadata.name);
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  } finally {
    await pool.remove();
  }
}

/** Whatever becomes of the node. */
const NEVER = { waitForSilent: true };
const GANG = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };

const saysWhatItWaitsFor = (job: JobHandle, { pod, node }: Stuck) =>
  untilStatus(
    job,
    `it says that it waits for ${pod}`,
    ({ cause }) => cause?.reason === 'PodsTerminating' && cause.pod === pod && cause.node === node,
  );

describe('a gang that restarts', () => {
  it.concurrent.each([
    { name: 'gang-dead', kubelet: 'dead', trouble: '(NotReady)' },
    { name: 'gang-silent', kubelet: 'silent', trouble: '' },
  ] as const)('waits for a pod on a $kubelet node until it is removed by hand', async (one) => {
    const { name, kubelet, trouble } = one;
    await withDeadNode({ name, kubelet, policy: { restart: GANG, nodes: NEVER } }, async (job, stuck) => {
      await stage.endPod(`${name}-worker-1`, { exitCode: 1 });
      const { state, cause } = await saysWhatItWaitsFor(job, stuck);
      expect(state).toBe('Restarting.Draining');
      expect(cause?.message).toContain(`waiting for ${stuck.pod} on node ${stuck.node}`);
      expect(cause?.message).toContain(trouble);
      expect(attemptsOf(await stage.pods(name))).toEqual(['1, env 1']);
      await removeByHand(stage, stuck.pod);
      await untilAttempt(job, 2);
      expect(attemptsOf(await stage.pods(name))).toEqual(['2, env 2']);
    });
  });

  it.concurrent('removes it by force when the stated time has expired, if the policy allows it', async () => {
    const policy = { restart: GANG, nodes: { forceDeleteAfter: '1s' } };
    await withDeadNode({ name: 'gang-forced', kubelet: 'dead', policy }, async (job, stuck) => {
      await stage.endPod('gang-forced-worker-1', { exitCode: 1 });
      await saysWhatItWaitsFor(job, stuck);
      await untilAttempt(job, 2);
      expect(attemptsOf(await stage.pods('gang-forced'))).toEqual(['2, env 2']);
    });
  });
});

describe('a failed pod that a finalizer keeps', () => {
  it.concurrent('is waited for, and then replaced', async () => {
    const job = { finalizers: ['example.com/copy-logs'] };
    await withDeadNode({ name: 'kept', kubelet: 'well', policy: {}, job }, async (job, stuck) => {
      const before = await stage.pods('kept');
      await stage.endPod(stuck.pod, { exitCode: 1 });
      await untilStatus(job, 'it is to be replaced', ({ state }) => state === 'Restarting.Replacing');
      const { state, cause } = await saysWhatItWaitsFor(job, stuck);
      expect(state).toBe('Restarting.Replacing');
      expect(cause?.message).toContain('it has the finalizer example.com/copy-logs');
      expect(renewed(before, await stage.pods('kept'))).toEqual([]);
      await letGo(stage, stuck.pod);
      await untilRestarted(job, 1);
      expect(renewed(before, await stage.pods('kept'))).toEqual([stuck.pod]);
    });
  });
});

describe('a job that has ended, and whose pod a finalizer keeps,', () => {
  it.concurrent('ends without it: its containers have ended', async () => {
    const name = 'kept-at-end';
    const manifest = await manifestOfCase('finalizer-holds-clean-up/fin.yaml');
    const metadata = { name, namespace: stage.namespace };
    const job = await stage.client.submit({ ...manifest, metadata });
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-worker-0`, { exitCode: 0 });
    const { timeline } = await job.wait();
    expect(timeline.at(-1)).toMatchObject({
      state: 'Completed',
      cause: expect.stringContaining(`${name}-worker-0, which has the finalizer example.com/billing`),
    });
    await letGo(stage, `${name}-worker-0`);
  });
});

describe('a surplus pod of a job that was scaled down', () => {
  const elasticPolicy = { minReplicas: 1, maxReplicas: 4 };
  const shrinking = { job: { elasticPolicy }, stuck: 'worker-2' } as const;
  const shrunk = async (name: string) => (await stage.pods(name)).map(({ metadata }) => metadata.name).sort();

  it.concurrent('is waited for until it is removed by hand', async () => {
    const name = 'shrink-silent';
    await withDeadNode({ name, kubelet: 'silent', policy: {}, ...shrinking }, async (job, stuck) => {
      await job.scale({ role: 'Worker', replicas: 2 });
      expect((await saysWhatItWaitsFor(job, stuck)).state).toBe('Pending.Scaling');
      await removeByHand(stage, stuck.pod);
      await untilPhase(job, 'Running');
      expect(await shrunk(name)).toEqual([`${name}-worker-0`, `${name}-worker-1`]);
    });
  });

  it.concurrent('is removed by force when the stated time has expired, if the policy allows it', async () => {
    const name = 'shrink-forced';
    const policy = { nodes: { forceDeleteAfter: '1s' } };
    await withDeadNode({ name, kubelet: 'silent', policy, ...shrinking }, async (job) => {
      await job.scale({ role: 'Worker', replicas: 2 });
      await untilStatus(job, 'it becomes smaller', ({ state }) => state === 'Pending.Scaling');
      await untilPhase(job, 'Running');
      expect(await shrunk(name)).toEqual([`${name}-worker-0`, `${name}-worker-1`]);
    });
  });
});

describe('a job that is suspended', () => {
  it.concurrent('waits for its pods, which are removed by force if the policy allows it', async () => {
    const policy = { nodes: { forceDeleteAfter: '1s' } };
    await withDeadNode({ name: 'rest-forced', kubelet: 'dead', policy }, async (job, stuck) => {
      await job.suspend({});
      expect((await saysWhatItWaitsFor(job, stuck)).state).toBe('Suspended.Draining');
      await untilStatus(job, 'it rests', ({ state }) => state === 'Suspended.Resting');
      expect(await stage.pods('rest-forced')).toEqual([]);
    });
  });
});

describe('a pod that is lost with its node', () => {
  it.concurrent('is waited for until it is removed by hand, and then replaced', async () => {
    const policy = { nodes: { lostAfter: '1s', ...NEVER } };
    await withDeadNode({ name: 'pod-dead', kubelet: 'dead', policy }, async (job, stuck) => {
      const before = await stage.pods('pod-dead');
      const { state } = await saysWhatItWaitsFor(job, stuck);
      expect(state).toBe('Restarting.Replacing');
      expect(renewed(before, await stage.pods('pod-dead'))).toEqual([]);
      await removeByHand(stage, stuck.pod);
      await untilRestarted(job, 1);
      expect(renewed(before, await stage.pods('pod-dead'))).toEqual([stuck.pod]);
    });
  });

  it.concurrent('is removed by force when the stated time has expired, if the policy allows it', async () => {
    const policy = { nodes: { lostAfter: '1s', forceDeleteAfter: '1s' } };
    await withDeadNode({ name: 'pod-forced', kubelet: 'dead', policy }, async (job, stuck) => {
      const before = await stage.pods('pod-forced');
      await saysWhatItWaitsFor(job, stuck);
      const status = await untilRestarted(job, 1);
      expect(renewed(before, await stage.pods('pod-forced'))).toEqual([stuck.pod]);
      expect(courseOf(status)).toContain('NodeLost');
    });
  });
});

describe('a pod that Kubernetes deletes from a node whose kubelet it does not hear', () => {
  const deleteAsKubernetes = (pod: string) => stage.cluster.delete(PODS, stage.namespace, pod);
  const portsOf = (pods: readonly Pod[]) => {
    const of = ({ spec }: Pod) => spec.containers[0]?.env?.find(({ name }) => name === 'MASTER_PORT')?.value;
    return [...new Set(pods.map(of))];
  };

  it.concurrent('is left behind: without any policy its gang restarts elsewhere, and meets at another port', async () => {
    const name = 'left-behind';
    await withDeadNode({ name, kubelet: 'unheard', policy: {} }, async (job, { pod, node }) => {
      const before = await stage.pods(name);
      expect(portsOf(before)).toEqual(['23456']);
      await deleteAsKubernetes(pod);
      const status = await untilAttempt(job, 2);
      expect(courseOf(status)).toContain('Kubernetes deletes the pod, and its node does not answer');
      const after = await stage.pods(name);
      expect(attemptsOf(after)).toEqual(['2, env 2']);
      expect(portsOf(after)).toEqual(['23457']);
      expect(after.map(({ spec }) => spec.nodeName)).not.toContain(node);
      expect((await untilPhase(job, 'Running')).restarts).toBe(1);
    });
  });

  it.concurrent('is left behind, too, by a gang that restarts for another reason', async () => {
    const name = 'left-by-others';
    await withDeadNode({ name, kubelet: 'unheard', policy: { restart: GANG } }, async (job) => {
      await stage.endPod(`${name}-worker-1`, { exitCode: 1 });
      await untilAttempt(job, 2);
      expect(portsOf(await stage.pods(name))).toEqual(['23457']);
    });
  });

  it.concurrent('is waited for by a job that it may go on without, which says so', async () => {
    const name = 'left-elastic';
    const job = { elasticPolicy: { minReplicas: 3, maxReplicas: 4 } };
    await withDeadNode({ name, kubelet: 'unheard', policy: {}, job }, async (job, { pod }) => {
      const before = await stage.pods(name);
      await deleteAsKubernetes(pod);
      await untilStatus(
        job,
        'it says why',
        ({ cause }) => cause?.message.includes('the job is elastic') === true,
      );
      expect(renewed(before, await stage.pods(name))).toEqual([]);
    });
  });
});
