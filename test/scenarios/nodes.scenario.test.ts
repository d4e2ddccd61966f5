import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Endangered } from '../../contracts/digest.ts';
import { NODES } from '../../contracts/kubernetes.ts';
import type { NodeTrouble } from '../../contracts/policy.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { courseOf, renewed, untilRestarted } from './attempts.ts';
import { OUT_OF_SERVICE, reportReady, taint, turnNotReady, turnReady } from './failing-nodes.ts';
import { gangJob } from './gang-jobs.ts';
import { withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { digestsTo, runningTimers } from './workflow-history.ts';

/** What becomes of pods whose node is in trouble. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

/** A job of three pods that runs on three of the pool's four nodes. */
async function onOwnNodes(
  name: string,
  nodes: object,
  work: (job: JobHandle, pool: NodePool) => Promise<void>,
): Promise<void> {
  const pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1, 1] });
  try {
    const manifest = gangJob({ name, namespace: stage.namespace, pool, pods: 3, gang: 'none' });
    const job = await stage.client.submit(withPolicy(manifest, { nodes }));
    await untilPhase(job, 'Running');
    await work(job, pool);
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  } finally {
    await pool.remove();
  }
}

const nodeOf = async (pod: string) => (await stage.pod(pod)).spec.nodeName!;

const untilDigest = (job: JobHandle, fact: string, holds: (endangered: readonly Endangered[]) => boolean) =>
  eventually(fact, async () => {
    const digests = await digestsTo(stage.temporal, job);
    return holds(digests.at(-1)?.endangered ?? []);
  });

const untilInDanger = (job: JobHandle, pod: string, trouble: NodeTrouble) =>
  untilDigest(job, `the job has received that ${pod} is in danger: ${trouble}`, (endangered) =>
    endangered.some((one) => one.pod === pod && one.trouble === trouble),
  );

const untilTimers = (job: JobHandle, names: readonly string[]) =>
  eventually(`the job waits for ${names[0] ?? 'no time'}`, async () => {
    const running = await runningTimers(stage.temporal, job);
    return running.join() === names.join();
  });

const cordon = (node: string) =>
  stage.cluster.patch(NODES, { name: node }, { spec: { unschedulable: true } });

describe('a pod on a node that', () => {
  const LOST = { lostAfter: '1s' };

  it.each([
    {
      name: 'unready',
      what: 'is not ready',
      befalls: (node: string) => turnNotReady(stage, node),
      nodes: LOST,
      trouble: 'NotReady',
    },
    {
      name: 'tainted',
      what: 'is tainted out of service',
      befalls: (node: string) => taint(stage, node, OUT_OF_SERVICE),
      nodes: LOST,
      trouble: 'OutOfService',
    },
    {
      name: 'cordoned',
      what: 'is cordoned, where that counts',
      befalls: cordon,
      nodes: { ...LOST, troubles: ['NotReady', 'Cordoned'] },
      trouble: 'Cordoned',
    },
  ] as const)('$what is lost after the stated time, and replaced on another', async (one) => {
    const { name, befalls, nodes, trouble } = one;
    await onOwnNodes(name, nodes, async (job) => {
      const [lost, before] = [`${name}-worker-0`, await stage.pods(name)];
      const node = await nodeOf(lost);
      await befalls(node);
      const status = await untilRestarted(job, 1);
      expect(renewed(before, await stage.pods(name))).toEqual([lost]);
      expect(await nodeOf(lost)).not.toBe(node);
      expect(courseOf(status)).toMatch(
        new RegExp(`${lost} on node ${node}: .*NodeLost: ${trouble} since .*nodes.lostAfter: 1s`),
      );
    });
  });

  it('recovers in time is not lost, and its timer is cancelled', async () => {
    await onOwnNodes('recovers', { lostAfter: '1h' }, async (job) => {
      const before = await stage.pods('recovers');
      const node = await nodeOf('recovers-worker-1');
      await turnNotReady(stage, node);
      await untilInDanger(job, 'recovers-worker-1', 'NotReady');
      await untilTimers(job, ['nodeLost']);
      await turnReady(stage, node);
      await untilDigest(job, 'the danger is over', (endangered) => endangered.length === 0);
      await untilTimers(job, []);
      await eventually('it runs', async () => {
        await reportReady(stage, await stage.pod('recovers-worker-1'));
        return (await statusOf(job)).phase === 'Running';
      });
      expect(renewed(before, await stage.pods('recovers'))).toEqual([]);
      expect((await statusOf(job)).restarts).toBe(0);
    });
  });

  it('is cordoned is not lost, unless the policy says so', async () => {
    await onOwnNodes('stays', { lostAfter: '0s' }, async (job) => {
      await cordon(await nodeOf('stays-worker-0'));
      await untilInDanger(job, 'stays-worker-0', 'Cordoned');
      expect(await runningTimers(stage.temporal, job)).toEqual([]);
      expect(await statusOf(job)).toMatchObject({ phase: 'Running', restarts: 0 });
    });
  });

  it('is not ready is waited for, where the policy has no limit', async () => {
    await onOwnNodes('waits', {}, async (job) => {
      await turnNotReady(stage, await nodeOf('waits-worker-0'));
      await untilInDanger(job, 'waits-worker-0', 'NotReady');
      expect(await runningTimers(stage.temporal, job)).toEqual([]);
      expect((await statusOf(job)).restarts).toBe(0);
    });
  });
});

/** Each node has room for one pod: four pods hold all places. */
describe('a job with a spare that loses a node', () => {
  it.each([
    ['pod', 'none'],
    ['gang', 'none'],
    ['pod', 'gated'],
    ['gang', 'gated'],
    ['gang', 'gated-native'],
    ['pod', 'native'],
    ['gang', 'volcano'],
    ['gang', 'coscheduling'],
  ] as const)('goes on at the place of the spare, with scope %s, placed by %s', async (scope, gang) => {
    const name = `spared-${scope}-${gang}`;
    const pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1, 1] });
    try {
      const manifest = gangJob({ name, namespace: stage.namespace, pool, pods: 3, gang });
      const restart = { ladder: [{ scope }] };
      const policy = { spares: { count: 1 }, nodes: { lostAfter: '1s' }, restart };
      const job = await stage.client.submit(withPolicy(manifest, policy));
      await untilSpare(job, 'ready');
      const spare = await stage.pod(`${name}-spare-0`);
      const [lost, node] = [`${name}-worker-0`, await nodeOf(`${name}-worker-0`)];
      await turnNotReady(stage, node);
      const status = await untilRestarted(job, 1);
      // A gang that restarts is placed anew as a whole: another pod of it may be there first.
      if (scope === 'pod') expect(await nodeOf(lost)).toBe(spare.spec.nodeName);
      else expect(await nodeOf(lost)).not.toBe(node);
      expect(status.attempt).toBe(scope === 'gang' ? 2 : 1);
      expect(courseOf(status)).toMatch(
        new RegExp(
          `pods are ready; [0-9.]+ s after the loss; ${lost} \\(of node ${node}\\) takes the place of ${name}-spare-0 on node ${spare.spec.nodeName}`,
        ),
      );
      await eventually('it tells of the spare without a node', async () => {
        const { warnings } = await statusOf(job);
        if (warnings.includes(`0 of 1 spares hold a place; ${name}-spare-0 has no node`)) return true;
        const made = (await stage.pods(name)).map(
          ({ metadata, spec }) => `${metadata.name} on ${spec.nodeName}`,
        );
        throw new Error(`it warns of ${JSON.stringify(warnings)}; there are ${made.join(', ')}`);
      });
      await pool.addNode(1);
      await untilSpare(job, 'ready');
      expect((await stage.pod(`${name}-spare-0`)).metadata.uid).not.toBe(spare.metadata.uid);
      expect(await statusOf(job)).toMatchObject({ phase: 'Running', restarts: 1 });
      await job.stop({});
      expect((await job.wait()).phase).toBe('Stopped');
      await eventually('nothing is left', async () => (await stage.pods(name)).length === 0);
    } finally {
      await pool.remove();
    }
  });

  const untilSpare = (job: JobHandle, state: string) =>
    eventually(`the job has received that its spare is ${state}`, async () => {
      const digests = await digestsTo(stage.temporal, job);
      return (
        digests
          .at(-1)
          ?.spares?.map((spare) => spare.state)
          .join() === state
      );
    });
});
