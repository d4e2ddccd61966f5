import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type KubeObject, POD_GROUPS, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { GANG_GATE } from '../../contracts/labels.ts';
import { gatesOf, isLiftedOnQuota } from '../../contracts/pod.ts';
import type { Engine } from '../../demo/engine.ts';
import { allOf } from '../../language/all-of.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type GangJobOptions, gangJob } from './gang-jobs.ts';
import { untilItWaits } from './gang-stage.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { boundClaim, withVolumes } from './volumes.ts';

/** Gangs behind gates, on the scheduler that every cluster has. */

let stage: Stage;
let engine: Engine;
const pools: NodePool[] = [];

beforeAll(async () => {
  stage = await openStage();
  engine = await stage.engine('up');
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.remove()));
  await stage.close();
});

const poolOf = async (...nodes: number[]) => {
  const pool = await openNodePool(stage.cluster, { nodes });
  pools.push(pool);
  return pool;
};

const submit = (options: Omit<GangJobOptions, 'namespace'>): Promise<JobHandle> =>
  stage.client.submit(gangJob({ gang: 'gated', ...options, namespace: stage.namespace }));

const isHeld = ({ spec }: Pod) => gatesOf(spec).includes(GANG_GATE);
const bound = async (job: string) => (await stage.pods(job)).filter(({ spec }) => spec.nodeName);

async function endsWell(job: JobHandle): Promise<void> {
  const { name } = await statusOf(job);
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

describe('a gated gang', () => {
  it('waits without holding anything, lets a smaller one pass, and runs when there is room', async () => {
    const pool = await poolOf(2, 1);
    const big = await submit({ name: 'big', pool, pods: 4 });
    const { cause } = await untilItWaits(big, 'NeverFits', [
      /must run at once.*; the .* nodes? of the cluster hold 3 of them/,
    ]);
    expect(cause?.also).toMatchObject([
      { reason: 'WaitingForGang', message: expect.stringMatching(/gated pods hold nothing meanwhile/) },
    ]);
    await eventually('lists have the code', async () => {
      const listed = await allOf(stage.client.list({ reason: 'NeverFits' }));
      return listed.some(({ name }) => name === 'big');
    });
    expect((await stage.pods('big')).map(isHeld)).toEqual([true, true, true, true]);
    const small = await submit({ name: 'small', pool, pods: 3 });
    await untilPhase(small, 'Running');
    expect(await bound('big')).toEqual([]);
    await pool.addNode(1);
    await untilItWaits(big, 'WaitingForGang', [/1 of the 4 pods .* find it now/]);
    await endsWell(small);
    await untilPhase(big, 'Running');
    await endsWell(big);
  });

  it('gives back what it holds when others take the room meanwhile, and runs later', async () => {
    const pool = await poolOf(4);
    // This test is its scheduler.
    const job = await submit({ name: 'raced', pool, pods: 4, schedulerName: 'by-hand' });
    const members = await untilLifted('raced');
    const other = await createOther(pool);
    for (const pod of members.slice(0, 3)) await bindByHand(pod, other);
    const { cause } = await eventually('it is rolled back', async () => {
      const status = await statusOf(job);
      return status.state === 'Pending.RolledBack' ? status : undefined;
    });
    expect(cause).toMatchObject({
      reason: 'CapacityTaken',
      message: expect.stringContaining('1 of 4 pods had no node'),
    });
    expect(cause?.message).toContain(`of namespace ${stage.namespace}`);
    expect(await stage.pods('raced')).toEqual([]);
    await job.retryNow({});
    await untilItWaits(job, 'WaitingForGang', [/3 of the 4 pods that must find room at once find it now/]);
    await stage.cluster.delete(PODS, stage.namespace, 'other');
    const again = await untilLifted('raced');
    for (const pod of again) await bindByHand(pod, other);
    const { attempt, restarts } = await untilPhase(job, 'Running');
    expect([attempt, restarts]).toEqual([2, 0]);
    await endsWell(job);
  });

  it('that waits too long ends, or waits anew, if its policy says so', async () => {
    const pool = await poolOf(1);
    const policy = (otherwise: string) => `{gang: {placedWithin: 3s, otherwise: ${otherwise}}}`;
    const failing = await submit({ name: 'failing', pool, pods: 2, policy: policy('fail') });
    const patient = await submit({ name: 'patient', pool, pods: 2, policy: policy('requeue') });
    await expect(failing.wait()).resolves.toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'NotPlacedInTime',
        rule: expect.stringContaining('gang.placedWithin: 3s'),
        message: expect.stringContaining('2 of 2 pods had no node in time'),
      },
    });
    expect(await stage.pods('failing')).toEqual([]);
    await eventually('it is rolled back', async () => {
      const { state, cause } = await statusOf(patient);
      return state === 'Pending.RolledBack' && cause?.reason === 'NotPlacedInTime';
    });
    expect(await stage.pods('patient')).toEqual([]);
    await pool.addNode(1);
    await patient.retryNow({});
    // On a slow machine its time may pass once more.
    const { attempt, restarts } = await untilPhase(patient, 'Running');
    expect([attempt > 1, restarts]).toEqual([true, 0]);
    await endsWell(patient);
  });

  it('waits for the claim that it mounts, and for room where its volume can be used', async () => {
    const pool = await poolOf(2, 2);
    const [node] = pool.names;
    await createOther({ ...pool, nodeSelector: { 'kubernetes.io/hostname': node! } });
    const manifest = gangJob({ name: 'zonal', pool, gang: 'gated', pods: 2, namespace: stage.namespace });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'shards' } }];
    const job = await stage.client.submit(withVolumes(manifest, volumes));
    await untilItWaits(job, 'WaitingForGang', [
      /the PersistentVolumeClaim shards does not exist; volume data of master names it/,
    ]);
    const removeVolume = await boundClaim(stage, { claim: 'shards', node: node! });
    await untilItWaits(job, 'WaitingForGang', [/1 of the 2 pods that must find room at once find it now/]);
    expect((await stage.pods('zonal')).map(isHeld)).toEqual([true, true]);
    await stage.cluster.delete(PODS, stage.namespace, 'other');
    expect((await untilPhase(job, 'Running')).attempt).toBe(1);
    expect((await bound('zonal')).map(({ spec }) => spec.nodeName)).toEqual([node, node]);
    await endsWell(job);
    await removeVolume();
  });

  it('of Kubernetes itself is shown to the scheduler only when there is room', async () => {
    const pool = await poolOf(3);
    const job = await submit({ name: 'native', gang: 'gated-native', pool, pods: 4 });
    await untilItWaits(job, 'NeverFits', [/4 pods must run at once/]);
    expect((await stage.pods('native')).map(isHeld)).toEqual([true, true, true, true]);
    expect((await groupOf('native')).status ?? {}).toEqual({});
    await pool.addNode(1);
    await untilPhase(job, 'Running');
    expect((await groupOf('native')).status).toMatchObject({
      conditions: [{ type: expect.stringMatching(/^PodGroup(Initially)?Scheduled$/), status: 'True' }],
    });
    const uid = (await stage.pod('native-worker-0')).metadata.uid;
    await stage.cluster.delete(PODS, stage.namespace, 'native-worker-0');
    const replaced = await eventually('it is replaced', async () => {
      const pod = (await bound('native')).find(({ metadata }) => metadata.name === 'native-worker-0');
      return pod?.metadata.uid === uid ? undefined : pod;
    });
    expect(replaced.spec).toMatchObject({ schedulingGroup: { podGroupName: 'native' } });
    await untilPhase(job, 'Running');
    await endsWell(job);
  });

  it('is shown to autoscalers without room, if its policy says so, and holds nothing for long', async () => {
    const policy = '{gang: {lift: onQuota}}';
    const [pool, poolOfParts] = [await poolOf(3), await poolOf(1)];
    const whole = await submit({ name: 'whole', gang: 'gated-native', pool, pods: 4, policy });
    const parts = await submit({ name: 'parts', pool: poolOfParts, pods: 2, policy });
    await untilItWaits(whole, 'WaitingForGang', [/4 pods wait for nodes that are added/]);
    await eventually('autoscalers see each of its pods', async () =>
      (await stage.pods('whole')).every(({ status }) =>
        status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable'),
      ),
    );
    expect(await bound('whole')).toEqual([]);
    await pool.addNode(1);
    expect((await untilPhase(whole, 'Running')).attempt).toBe(1);
    await endsWell(whole);
    await eventually('what holds a node alone is rolled back', async () => {
      const { state, cause } = await statusOf(parts);
      return state === 'Pending.RolledBack' && cause?.reason === 'TooFewNewNodes';
    });
    await poolOfParts.addNode(1);
    await parts.retryNow({});
    await untilPhase(parts, 'Running');
    // There was room: nobody takes them for pods that wait for nodes.
    expect((await stage.pods('parts')).map(isLiftedOnQuota)).toEqual([false, false]);
    await endsWell(parts);
  });

  it('is refused with pods whose place cannot be computed', async () => {
    const pool = await poolOf(1);
    const manifest = gangJob({ name: 'spread', pool, gang: 'gated', pods: 2, namespace: stage.namespace });
    const { Worker } = (manifest.spec as { pytorchReplicaSpecs: { Worker: { template: { spec: object } } } })
      .pytorchReplicaSpecs;
    Object.assign(Worker.template.spec, {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      ],
    });
    await expect(stage.client.submit(manifest).then((job) => job.wait())).resolves.toMatchObject({
      phase: 'Failed',
      cause: {
        message: expect.stringContaining(
          'spec.pytorchReplicaSpecs.Worker.template.spec.topologySpreadConstraints: expected pods whose place',
        ),
      },
    });
  });

  // Last: a leader that has taken over gives no turn for 25 s.
  it('is lifted as a whole by whoever comes after a worker that was killed in between', async () => {
    const pool = await poolOf(1);
    const job = await submit({ name: 'half', pool, pods: 2 });
    await untilItWaits(job, 'NeverFits', [/2 pods must run at once/]);
    await engine.kill();
    const [first, second] = await stage.pods('half');
    await lift(first!);
    await pool.addNode(1);
    await eventually('the scheduler has placed it', async () => (await bound('half')).length === 1);
    expect(isHeld(await stage.pod(second!.metadata.name))).toBe(true);
    await engine.start();
    await untilPhase(job, 'Running');
    await endsWell(job);
  });
});

const untilLifted = (job: string): Promise<readonly Pod[]> =>
  eventually(`the gates of ${job} are lifted`, async () => {
    const pods = await stage.pods(job);
    return pods.length === 4 && !pods.some(isHeld) ? pods : undefined;
  });

const groupOf = (job: string): Promise<KubeObject> => stage.cluster.get(POD_GROUPS, stage.namespace, job);

/** As a worker does it. */
const lift = ({ metadata: { name, uid } }: Pod) =>
  stage.cluster.patch(
    PODS,
    { namespace: stage.namespace, name },
    { metadata: { uid }, spec: { schedulingGates: null } },
  );

/** A pod of somebody else takes a slot; returns its node. */
async function createOther({ nodeSelector, resource }: NodePool): Promise<string> {
  const { namespace, cluster } = stage;
  const resources = { limits: { [resource]: '1' } };
  const containers = [{ name: 'main', image: 'other:1', command: ['work'], resources }];
  await cluster.create(PODS, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other', namespace } },
    spec: { nodeSelector, terminationGracePeriodSeconds: 0, containers },
  });
  return eventually('it has a node', async () => (await stage.pod('other')).spec.nodeName);
}

const BINDINGS: Resource = { apiVersion: 'v1', kind: 'Binding', plural: 'bindings', namespaced: true };

const bindByHand = ({ metadata: { name, namespace } }: Pod, node: string): Promise<KubeObject> =>
  stage.cluster.create(BINDINGS, {
    ...{ apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace } },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  });
