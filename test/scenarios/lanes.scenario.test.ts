import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { GANG_GATE } from '../../contracts/labels.ts';
import { DEFAULT_TASK_QUEUE } from '../../contracts/messages.ts';
import { gatesOf } from '../../contracts/pod.ts';
import { RPC, type RpcAnswer } from '../../contracts/rpc.ts';
import type { LanesAnswer, WhyAnswer } from '../../contracts/types.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { gangJob } from './gang-jobs.ts';
import { untilItWaits } from './gang-stage.ts';
import { type Manifest, withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Lanes of four slots, on the scheduler that every cluster has. */

let stage: Stage;
let engine: Engine;
let pool: NodePool;
let client: SignalboxClient;

const LANES = 'lanes';

beforeAll(async () => {
  stage = await openStage();
  pool = await openNodePool(stage.cluster, { nodes: [2, 2] });
  const metadata = { name: LANES, namespace: stage.namespace };
  await stage.cluster.create(CONFIG_MAPS, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata },
    data: { 'lanes.yaml': document() },
  });
  engine = await stage.engine('up', settings());
  const { temporalAddress: address, kubeconfig } = stage.sandbox;
  client = await SignalboxClient.connect({
    ...{ temporal: { address, namespace: 'default' }, cluster: { kubeconfig } },
    ...{ namespace: stage.namespace, submittedBy: 'ana', lanes: reference() },
  });
});

afterAll(async () => {
  await client.close();
  await pool.remove();
  await stage.close();
});

const reference = () => ({ namespace: stage.namespace, name: LANES });
const settings = () => ({ SIGNALBOX_LANES: `${stage.namespace}/${LANES}` });

const document = () =>
  stringify({
    pools: { slots: { nodes: pool.nodeSelector } },
    lanes: {
      research: { pool: 'slots', preempt: 'lower' },
      production: { pool: 'slots', reclaim: 'borrowed' },
    },
  });

interface InLane {
  readonly name: string;
  readonly pods: number;
  readonly lane?: object;
  readonly checkpoint?: object;
  readonly gang?: 'gated';
}

const manifestOf = ({ name, pods, lane = {}, checkpoint, gang }: InLane) =>
  withPolicy(gangJob({ name, pods, pool, namespace: stage.namespace, gang: gang ?? 'none' }), {
    lane: { name: 'research', ...lane },
    ...(checkpoint ? { checkpoint } : {}),
  });

const submit = (job: InLane): Promise<JobHandle> => stage.client.submit(manifestOf(job));

const messagesOf = async (job: JobHandle): Promise<string> =>
  (await job.history()).map(({ message }) => message).join('\n');

/** As a client in another language asks. */
async function asked<Result>(method: string, given: object = {}): Promise<Result> {
  const answer: RpcAnswer = await stage.temporal.workflow.execute(RPC, {
    ...{ workflowId: `${RPC}/${method}/${randomUUID()}`, taskQueue: DEFAULT_TASK_QUEUE },
    args: [{ method, arguments: given }],
  });
  return answer.result as Result;
}

async function endsWell(job: JobHandle): Promise<void> {
  const { name } = await statusOf(job);
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

describe('a lane', () => {
  it('lets jobs start in their order, and those that wait have no pods', async () => {
    const first = await submit({ name: 'first', pods: 3 });
    await untilPhase(first, 'Running');
    const second = await submit({ name: 'second', pods: 3 });
    await untilItWaits(second, 'WaitingInLane', [/position 1 of 1 in lane research/]);
    const third = await submit({ name: 'third', pods: 2 });
    await untilItWaits(third, 'WaitingInLane', [/ahead: job\/.*\/second/]);
    expect([...(await stage.pods('second')), ...(await stage.pods('third'))]).toEqual([]);
    const { lanes, unknown } = await client.lanes.list();
    expect([lanes.map(({ lane, state }) => `${lane} ${state}`), unknown]).toEqual([
      ['research open', 'production open'],
      [],
    ]);
    const { running, waiting, borrowed } = lanes[0]!;
    expect(running.map(({ name }) => name)).toEqual(['first']);
    expect(waiting.map(({ name, position }) => `${position} ${name}`)).toEqual(['1 second', '2 third']);
    expect(borrowed).toMatchObject({ [pool.resource]: '1' });
    const fourth = manifestOf({ name: 'fourth', pods: 2 });
    const { reasons } = await client.whyWaiting(fourth);
    expect(reasons[0]).toMatchObject({
      ...{ code: 'WaitingInLane', who: 'nobody' },
      sentence: expect.stringMatching(
        /position 3 of 3 in lane research; ahead: job\/.*\/second, job\/.*\/third/,
      ),
      place: {
        ...{ queue: 'lane', name: 'research', position: 3, of: 3 },
        ahead: [
          { who: expect.stringMatching(/second$/), needs: { [pool.resource]: '3' } },
          { who: expect.stringMatching(/third$/), needs: { [pool.resource]: '2' } },
        ],
      },
    });
    const [answer] = await asked<LanesAnswer[]>('lanes');
    expect(answer).toMatchObject({ lanes: [{ ...lanes[0], waiting }], unknown });
    const before = await asked<WhyAnswer>('whyManifest', { manifest: fourth, namespace: stage.namespace });
    expect(before.reasons).toEqual(reasons);
    const { workflowId } = second;
    const live = await asked<WhyAnswer>('why', { job: { workflowId } });
    expect(live).toMatchObject({ workflowId, phase: 'Pending' });
    expect(live.reasons[0]).toMatchObject({
      ...{ code: 'WaitingInLane', who: 'nobody', sentence: expect.stringMatching(/position 1 of 2 in lane/) },
      place: { queue: 'lane', name: 'research', position: 1, of: 2, ahead: [] },
    });
    expect(live.reasons).toEqual((await client.job({ name: 'second' }).whyWaiting()).reasons);
    await endsWell(first);
    await untilPhase(second, 'Running');
    expect(await stage.pods('third')).toEqual([]);
    await endsWell(second);
    await untilPhase(third, 'Running');
    await endsWell(third);
  });

  it('gives the place of a job to one of a higher priority, and both know of it', async () => {
    const low = await submit({ name: 'low', pods: 4 });
    await untilPhase(low, 'Running');
    const high = await submit({ name: 'high', pods: 4, lane: { priority: 1 } });
    await untilPhase(high, 'Running');
    const { attempt, restarts } = await untilItWaits(low, 'WaitingInLane', [/position 1 of 1/]);
    expect([attempt, restarts]).toEqual([2, 0]);
    const lost = (await low.history()).find(({ reason }) => reason === 'Preempted');
    expect(lost?.message).toContain('/high');
    expect(await messagesOf(high)).toMatch(/others gave back \(job\/.*\/low: it loses/);
    await endsWell(high);
    await untilPhase(low, 'Running');
    await endsWell(low);
  });

  it('takes back what another lane has borrowed', async () => {
    const borrower = await submit({ name: 'borrower', pods: 4 });
    await untilPhase(borrower, 'Running');
    const owner = await submit({ name: 'owner', pods: 2, lane: { name: 'production' } });
    await untilPhase(owner, 'Running');
    expect((await statusOf(borrower)).attempt).toBe(2);
    await endsWell(owner);
    await untilPhase(borrower, 'Running');
    await endsWell(borrower);
  });

  it('starts nothing while it is paused, and jobs can be moved meanwhile', async () => {
    await client.lanes.pause('research', { why: 'new drivers until noon' });
    const job = await submit({ name: 'paused', pods: 2 });
    await untilItWaits(job, 'WaitingInLane', [/new drivers until noon/]);
    await client.lanes.setPriority({ name: 'paused' }, { priority: 7, why: 'it is short' });
    const [research] = (await client.lanes.list()).lanes;
    expect(research).toMatchObject({ state: 'paused', why: 'new drivers until noon' });
    expect(research!.waiting).toMatchObject([{ name: 'paused', priority: 7 }]);
    await client.lanes.move(job, { lane: 'production', why: 'it is urgent', by: 'lead@ml' });
    await untilPhase(job, 'Running');
    const requests = (await job.history()).flatMap(({ cause }) =>
      cause.type === 'request' ? [`${cause.who.given}: ${cause.why}`] : [],
    );
    expect(requests).toEqual(['ana: it is short', 'lead@ml: it is urgent']);
    await endsWell(job);
    await client.lanes.open('research');
    const opened = (await client.lanes.list()).lanes[0]!;
    expect([opened.state, opened.why]).toEqual(['open', undefined]);
    await expect(client.lanes.drain('nowhere', { why: 'x' })).rejects.toMatchObject({
      ...{ code: 'Lanes', message: 'expected a lane (research, production), got nowhere.' },
    });
  });

  it('refuses jobs for lanes that do not exist', async () => {
    const job = await submit({ name: 'astray', pods: 2, lane: { name: 'nowhere' } });
    const { phase, cause } = await job.wait();
    expect([phase, cause?.reason]).toEqual(['Failed', 'InvalidManifest']);
    expect(cause?.message).toContain('lane.name: expected one of research, production');
  });

  it('keeps what it has granted when the engine is killed', async () => {
    const runs = await submit({ name: 'runs', pods: 4 });
    await untilPhase(runs, 'Running');
    const waits = await submit({ name: 'waits', pods: 4 });
    await untilItWaits(waits, 'WaitingInLane', []);
    await engine.kill();
    await engine.start(settings());
    await untilItWaits(waits, 'WaitingInLane', []);
    expect(await stage.pods('waits')).toEqual([]);
    await runs.suspend();
    await untilPhase(waits, 'Running');
    await runs.resume();
    await eventually('it waits again', async () => (await statusOf(runs)).state === 'Pending.Queued');
    await endsWell(waits);
    await untilPhase(runs, 'Running');
    await endsWell(runs);
  });

  it('lets pass the first job only what ends before that one can start', async () => {
    const busy = await submit({ name: 'busy', pods: 2, lane: { runsFor: '1h' } });
    await untilPhase(busy, 'Running');
    const big = await submit({ name: 'big', pods: 4 });
    await untilItWaits(big, 'WaitingInLane', [/it is the next of lane research/, /it can start at/]);
    const [reason] = (await client.job({ name: 'big' }).whyWaiting()).reasons;
    expect(Date.parse(reason!.place?.earliestStart ?? '')).toBeGreaterThan(Date.now());
    const endless = await submit({ name: 'endless', pods: 2 });
    await untilItWaits(endless, 'WaitingInLane', [/declares no duration, and could delay job\/.*\/big/]);
    const brief = await submit({ name: 'brief', pods: 2, lane: { runsFor: '10m' } });
    await untilPhase(brief, 'Running');
    expect(await messagesOf(brief)).toMatch(/lets it start before job\/.*\/big, which it does not delay/);
    await endsWell(brief);
    await endsWell(busy);
    await untilPhase(big, 'Running');
    expect(await stage.pods('endless')).toEqual([]);
    await endsWell(big);
    await untilPhase(endless, 'Running');
    await endsWell(endless);
  });

  it('keeps the place of a job for the pods that replace lost ones, also once others have succeeded', async () => {
    const job = await submit({ name: 'losing', pods: 4 });
    await untilPhase(job, 'Running');
    const next = await submit({ name: 'next', pods: 2 });
    await untilItWaits(next, 'WaitingInLane', [/0 of 4 are free/]);
    await stage.endPod('losing-worker-0', { exitCode: 0 });
    const lost = await stage.pod('losing-worker-1');
    await stage.endPod('losing-worker-1', { exitCode: 137, uid: lost.metadata.uid! });
    await eventually('its pod is replaced, and it runs', async () => {
      const { phase, restarts } = await statusOf(job);
      return phase === 'Running' && restarts === 1;
    });
    expect((await stage.pod('losing-worker-1')).metadata.uid).not.toBe(lost.metadata.uid);
    await untilItWaits(next, 'WaitingInLane', [/0 of 4 are free/]);
    await endsWell(job);
    await untilPhase(next, 'Running');
    await endsWell(next);
  });

  it('lets a gated gang start that finds its room in pieces, and that holds nothing until it is whole', async () => {
    const apart = await stage.client.submit(onEachNode(manifestOf({ name: 'apart', pods: 2 }), pool.names));
    await untilPhase(apart, 'Running');
    const wide = await stage.client.submit(inOnePod(manifestOf({ name: 'wide', pods: 2, gang: 'gated' })));
    await untilItWaits(wide, 'WaitingForGang', [/gated pods hold nothing meanwhile/]);
    expect(await messagesOf(wide)).toContain('its lane lets it start');
    expect((await stage.pods('wide')).map(({ spec }) => [gatesOf(spec), spec.nodeName])).toEqual([
      [[GANG_GATE], undefined],
    ]);
    const late = await submit({ name: 'late', pods: 2 });
    await untilItWaits(late, 'WaitingInLane', [/0 of 4 are free/]);
    await late.stop({});
    await endsWell(apart);
    await untilPhase(wide, 'Running');
    await endsWell(wide);
  });

  it('leaves all room to others while a job needs more than there is, which starts once a node is added', async () => {
    const large = await submit({ name: 'large', pods: 5 });
    await untilItWaits(large, 'NeverFits', [/it needs 5 .*, and pool slots is 4/]);
    const other = await submit({ name: 'other', pods: 4 });
    await untilPhase(other, 'Running');
    await endsWell(other);
    expect(await stage.pods('large')).toEqual([]);
    await pool.addNode(1);
    await untilPhase(large, 'Running');
    await endsWell(large);
  });
});

interface Role {
  readonly replicas: number;
  readonly template: {
    readonly spec: { readonly nodeSelector: object; readonly containers: readonly object[] };
  };
}

const rolesOf = ({ spec }: Manifest) =>
  spec.pytorchReplicaSpecs as { readonly Master: Role; readonly Worker: Role };

const withRoles = (manifest: Manifest, roles: object): Manifest => ({
  ...manifest,
  spec: { ...manifest.spec, pytorchReplicaSpecs: roles },
});

/** Each role has a node of its own. */
function onEachNode(manifest: Manifest, [first, second]: readonly string[]): Manifest {
  const on = (node: string | undefined, { template, ...role }: Role) => {
    const nodeSelector = { ...template.spec.nodeSelector, 'kubernetes.io/hostname': node };
    return { ...role, template: { ...template, spec: { ...template.spec, nodeSelector } } };
  };
  const { Master, Worker } = rolesOf(manifest);
  return withRoles(manifest, { Master: on(first, Master), Worker: on(second, Worker) });
}

/** Its first pod takes the slots of two. */
function inOnePod(manifest: Manifest): Manifest {
  const { template, ...role } = rolesOf(manifest).Master;
  const containers = template.spec.containers.map((container) => ({
    ...container,
    resources: { limits: { [pool.resource]: '2' } },
  }));
  return withRoles(manifest, {
    Master: { ...role, template: { ...template, spec: { ...template.spec, containers } } },
  });
}
