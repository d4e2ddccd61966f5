import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { closeLane, type LaneClosing } from '../../client/use-cases/lanes/close-lane.ts';
import { readLanesAnswer } from '../../client/use-cases/lanes/read-lanes-answer.ts';
import { readLanes } from '../../cluster/read-lanes.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { gangJob } from './gang-jobs.ts';
import { untilItWaits } from './gang-stage.ts';
import { withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Lanes of four slots, on the scheduler that every cluster has. */

let stage: Stage;
let engine: Engine;
let pool: NodePool;

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
});

afterAll(async () => {
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
}

const manifestOf = ({ name, pods, lane = {}, checkpoint }: InLane) =>
  withPolicy(gangJob({ name, pods, pool, namespace: stage.namespace, gang: 'none' }), {
    lane: { name: 'research', ...lane },
    ...(checkpoint ? { checkpoint } : {}),
  });

const submit = (job: InLane): Promise<JobHandle> => stage.client.submit(manifestOf(job));

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
    const { lanes, unknown } = await readLanesAnswer(stage.cluster, reference());
    expect([lanes.map(({ lane, state }) => `${lane} ${state}`), unknown]).toEqual([
      ['research open', 'production open'],
      [],
    ]);
    const { running, waiting, borrowed } = lanes[0]!;
    expect(running.map(({ name }) => name)).toEqual(['first']);
    expect(waiting.map(({ name, position }) => `${position} ${name}`)).toEqual(['1 second', '2 third']);
    expect(borrowed).toMatchObject({ [pool.resource]: '1' });
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
    expect((await high.history()).map(({ message }) => message).join('\n')).toMatch(
      /others gave back \(job\/.*\/low: it loses/,
    );
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
    const close = (closing: LaneClosing) =>
      closeLane(stage.cluster, reference(), { lane: 'research', closing });
    await close({ as: 'paused', why: 'new drivers until noon' });
    const job = await submit({ name: 'paused', pods: 2 });
    await untilItWaits(job, 'WaitingInLane', [/new drivers until noon/]);
    await job.amendPolicy({ policy: { lane: { name: 'production' } }, why: 'it is urgent' });
    await untilPhase(job, 'Running');
    await endsWell(job);
    await close(undefined);
    const { lanes } = await readLanes(stage.cluster, reference());
    expect(lanes.research?.paused).toBeUndefined();
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
});
