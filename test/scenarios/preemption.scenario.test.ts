import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { untilRestarted, untilStatus } from './attempts.ts';
import { gangJob } from './gang-jobs.ts';
import { withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Kubernetes' scheduler takes the place of a job's pod for a more important one. */

let stage: Stage;
let pool: NodePool;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  pool = await openNodePool(stage.cluster, { nodes: [2] });
});

afterAll(async () => {
  await pool.remove();
  await stage.close();
});

describe('a job that is preempted', () => {
  it('waits for room again, at no cost where infrastructure is free', async () => {
    const manifest = gangJob({
      name: 'cheap',
      namespace: stage.namespace,
      pool,
      pods: 2,
      gang: 'none',
      restartPolicy: 'OnFailure',
      runPolicy: { backoffLimit: 0 },
    });
    const restart = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };
    const failures = { classes: { infrastructure: { free: true } } };
    const job = await stage.client.submit(withPolicy(manifest, { restart, failures }));
    await untilPhase(job, 'Running');
    await stage.cluster.create(PODS, importantPod());
    await untilStatus(job, 'it waits for room', ({ attempt, cause }) => {
      return attempt === 2 && cause?.reason === 'Unschedulable';
    });
    // The scheduler may refuse a pod of the next attempt before it binds the one that took the place.
    await eventually(
      'the important pod has a node',
      async () => (await stage.pod('important')).spec.nodeName,
    );
    await stage.cluster.delete(PODS, stage.namespace, 'important');
    expect(await untilRestarted(job, 1)).toMatchObject({ attempt: 2 });
    await stage.endPod('cheap-master-0', { exitCode: 0 });
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 1 });
    expect(await stage.pods('cheap')).toEqual([]);
  });
});

const importantPod = () => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'important', namespace: stage.namespace },
  spec: {
    priorityClassName: 'system-cluster-critical',
    nodeSelector: pool.nodeSelector,
    containers: [{ name: 'main', image: 'any', resources: { limits: { [pool.resource]: '1' } } }],
  },
});
