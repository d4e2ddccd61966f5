import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { signalbox } from '../cli/process.ts';
import { type GangStage, openGangStage, untilItWaits } from './gang-stage.ts';
import type { NodePool } from './node-pool.ts';
import { untilPhase } from './stage.ts';

/** A job whose group Volcano does not let in, as its queue has room for half of it; then the queue grows. */

const QUEUES: Resource = {
  apiVersion: 'scheduling.volcano.sh/v1beta1',
  kind: 'Queue',
  plural: 'queues',
  namespaced: false,
};

let stage: GangStage;
let pool: NodePool;
let job: JobHandle;

beforeAll(async () => {
  stage = await openGangStage();
  pool = await stage.pool({ nodes: [10] });
  await stage.cluster.create(QUEUES, {
    apiVersion: QUEUES.apiVersion,
    kind: QUEUES.kind,
    // Of the cluster: as unique as the test's namespace.
    metadata: { name: stage.namespace },
    spec: { weight: 1, capability: { [pool.resource]: '5' } },
  });
  const schedulingPolicy = { queue: stage.namespace, priorityClass: 'system-cluster-critical' };
  job = await stage.submit({ name: 'queued', pool, runPolicy: { schedulingPolicy } });
});

afterAll(async () => {
  await stage.cluster.delete(QUEUES, undefined, stage.namespace);
  await stage.close();
});

const group = () => stage.group('volcano', 'queued');

describe('a job whose group is not admitted', () => {
  it('is Pending.Queued, with the resource that its queue lacks', async () => {
    const { phase, state } = await untilItWaits(job, 'WaitingForGang', [
      /no pods yet: Volcano has not admitted the group yet \(phase Pending\)/,
      new RegExp(`queue ${stage.namespace}, .* no room for its minResources: 10 ${pool.resource}`),
    ]);
    expect([phase, state]).toEqual(['Pending', 'Pending.Queued']);
  });

  it('has a group with all fields of its manifest, and no pods', async () => {
    expect(await group()).toMatchObject({
      spec: {
        minMember: 10,
        minResources: { [pool.resource]: '10' },
        queue: stage.namespace,
        priorityClassName: 'system-cluster-critical',
      },
      status: { phase: 'Pending' },
    });
    expect(await stage.objects()).toEqual(['ConfigMap/queued.signalbox']);
  });

  it('is explained by signalbox get', async () => {
    const { stdout } = await signalbox(['get', 'queued', '--namespace', stage.namespace], {
      env: { TEMPORAL_ADDRESS: stage.sandbox.temporalAddress },
    });
    expect(stdout).toMatch(/state +Pending\.Queued/);
    expect(stdout).toMatch(/cause +WaitingForGang: no pods yet: Volcano has not admitted the group yet/);
  });
});

describe('when its queue has room', () => {
  it('its pods are made, and the job runs, in the same group', async () => {
    const before = await group();
    await grow();
    await untilPhase(job, 'Running');
    expect((await group())?.metadata.uid).toBe(before?.metadata.uid);
    expect(await stage.bound('queued')).toHaveLength(10);
  });

  it('its group is deleted at the end', async () => {
    await stage.endPod('queued-master-0', { exitCode: 0 });
    const { phase, timeline } = await job.wait();
    expect(phase).toBe('Completed');
    expect(timeline.map(({ state }) => state)).toContain('Pending.Queued');
    expect(await group()).toBeUndefined();
  });

  it('only Volcano has written its status: replacing a group would replace its status', () => {
    const writes = [...stage.asked].filter((verb) => /^(?!get|list|watch).* podgroups/.test(verb));
    expect(writes.sort()).toEqual(['create podgroups', 'delete podgroups']);
  });

  const grow = () =>
    stage.cluster.patch<KubeObject>(
      QUEUES,
      { name: stage.namespace },
      { spec: { capability: { [pool.resource]: '10' } } },
    );
});
