import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NODES } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { courseOf, renewed, untilStatus } from './attempts.ts';
import { setGpuMemWatch } from './failing-nodes.ts';
import { gangJob } from './gang-jobs.ts';
import { withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** What sources of health write on nodes, and what jobs there make of it. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage?.close());

/** A job of two pods that runs on two of three nodes of its own. */
async function onOwnNodes(
  name: string,
  policy: object | undefined,
  work: (job: JobHandle, node: string) => Promise<void>,
): Promise<void> {
  const pool: NodePool = await openNodePool(stage.cluster, { nodes: [1, 1, 1] });
  try {
    const manifest = gangJob({ name, namespace: stage.namespace, pool, pods: 2, gang: 'none' });
    const job = await stage.client.submit(policy ? withPolicy(manifest, policy) : manifest);
    await untilPhase(job, 'Running');
    await work(job, await nodeOf(`${name}-worker-0`));
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  } finally {
    await pool.remove();
  }
}

const nodeOf = async (pod: string) => (await stage.pod(pod)).spec.nodeName!;

const checked = (node: string, status: 'True' | 'False') => setGpuMemWatch(stage.cluster, node, status);

const maintained = (node: string, at: number) =>
  stage.cluster.patch(
    NODES,
    { name: node },
    {
      metadata: { labels: { 'cloud.google.com/scheduled-maintenance-time': String(Math.round(at / 1_000)) } },
    },
  );

const MINUTE = 60_000;

const untilWarned = (job: JobHandle, words: RegExp) =>
  untilStatus(job, `it warns: ${words}`, ({ warnings }) => warnings.some((one) => words.test(one)));

/** The job runs again, with the pod on another node. */
const untilElsewhere = (job: JobHandle, pod: string, node: string) =>
  eventually(
    `${pod} runs elsewhere than on ${node}`,
    async () => {
      const status = await statusOf(job);
      const now = (await stage.pods(pod.replace(/-worker-\d+$/, ''))).find(
        ({ metadata }) => metadata.name === pod,
      );
      if (status.phase === 'Running' && now?.spec.nodeName && now.spec.nodeName !== node) return status;
      throw new Error(`${status.state} on ${now?.spec.nodeName}\n${courseOf(status)}`);
    },
    { withinMs: 240_000 },
  );

describe('a job on a node that a source calls sick', () => {
  it.concurrent('goes on without a policy, says it, and says when it is over', async () => {
    await onOwnNodes('told', undefined, async (job, node) => {
      const before = await stage.pods('told');
      await checked(node, 'True');
      await untilWarned(
        job,
        new RegExp(`^node ${node} is sick: GpuMemWatch \\(GpuMemWatchIsNotHealthy: .*says NVSentinel`),
      );
      const { warnings } = await statusOf(job);
      expect(warnings[0]).toMatch(/told-worker-0 runs there; the job goes on; with .*nodes\.onSick: restart/);
      await checked(node, 'False');
      const status = await untilStatus(job, 'nothing is said any more', (one) => one.warnings.length === 0);
      expect(courseOf(status)).toMatch(/NVSentinel no longer says GpuMemWatch of node/);
      expect(status).toMatchObject({ phase: 'Running', restarts: 0, attempt: 1 });
      expect(renewed(before, await stage.pods('told'))).toEqual([]);
    });
  });

  it.concurrent('goes on elsewhere where its policy says so', async () => {
    const policy = { nodes: { onSick: 'restart' } };
    await onOwnNodes('leaves', policy, async (job, node) => {
      const before = await stage.pods('leaves');
      await checked(node, 'True');
      await untilWarned(job, /the job leaves it at .*nodes\.onSick: restart/);
      const status = await untilElsewhere(job, 'leaves-worker-0', node);
      expect(renewed(before, await stage.pods('leaves'))).toEqual(['leaves-worker-0']);
      expect(courseOf(status)).toMatch(/leaves-worker-0 goes elsewhere: node .* is sick: GpuMemWatch/);
      expect(status.restarts).toBe(0);
      expect(Object.keys(status.avoided ?? {})).toEqual([node]);
    });
  });
});

describe('a job on a node that goes away', () => {
  it.concurrent('stays until there is just time to leave it, and leaves as a gang', async () => {
    const policy = { nodes: { onLeaving: 'restart' }, restart: { ladder: [{ scope: 'gang' }] } };
    await onOwnNodes('maintained', policy, async (job, node) => {
      await maintained(node, Date.now() + 60 * MINUTE);
      const { warnings } = await untilWarned(
        job,
        /^node .* goes away at .*scheduled-maintenance-time .* says GKE/,
      );
      expect(warnings[0]).toMatch(/the job leaves it at/);
      expect((await statusOf(job)).phase).toBe('Running');
      // The maintenance comes earlier.
      await maintained(node, Date.now() + 2 * MINUTE);
      const status = await untilElsewhere(job, 'maintained-worker-0', node);
      expect(status).toMatchObject({ attempt: 2, restarts: 0 });
    });
  });
});
