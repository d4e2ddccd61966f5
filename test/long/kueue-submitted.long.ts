import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS, KUEUE_WORKLOADS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { podSetsOf } from '../../gang/kueue-workload.ts';
import { valueAt } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import type { BridgedStage } from '../scenarios/bridged-stage.ts';
import { type Stage, untilPhase } from '../scenarios/stage.ts';
import {
  endAll,
  type Flavor,
  HOST,
  LEAVES_SLOWLY,
  QUEUE,
  type Queued,
  queuedIn,
  said,
  untilItWaitsFor,
} from './kueue-queues.ts';
import { KueueStage, SET_UP_MS } from './kueue-stage.ts';

/** Jobs that are submitted, and wait in a queue of Kueue by a Workload of their own. */

let queues: KueueStage;
let on: BridgedStage;
let stage: Stage;

beforeAll(async () => {
  queues = await KueueStage.open();
  ({ on } = queues);
  ({ stage } = on);
}, SET_UP_MS);

afterAll(() => queues?.close());

function submit(name: string, options?: Queued, policy: object = {}): Promise<JobHandle> {
  const { metadata, ...manifest } = queuedIn(stage.namespace, name, options);
  const annotations = { 'signalbox.dev/policy': stringify(policy) };
  return stage.client.submit({ ...manifest, metadata: { ...metadata, annotations } });
}

const workloadOf = async (name: string) =>
  queues.workloadOf(await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(name)));

/** It runs in a flavor, this one if it is given; returns which. */
async function untilItRuns(job: JobHandle, name: string, flavor?: Flavor): Promise<Flavor> {
  await untilPhase(job, 'Running');
  const [pod] = await stage.pods(name);
  const isSpot = isDeepStrictEqual(pod!.spec.nodeSelector, queues.pools.spot.nodeSelector);
  const actual = isSpot ? 'spot' : 'reserved';
  if (flavor) expect(actual).toBe(flavor);
  for (const { metadata } of await queues.expectPodsOf(name, actual)) {
    expect(metadata.labels).toMatchObject({ 'kueue.x-k8s.io/cluster-queue-name': 'cluster' });
    expect(metadata.labels).not.toHaveProperty([QUEUE]);
  }
  await eventually(`Kueue hears that ${name} is ready`, async () => {
    return said(await workloadOf(name), 'PodsReady')?.status === 'True';
  });
  return actual;
}

const untilItGaveBack = (name: string) =>
  queues.untilItGaveBack(name, async () => ({ workload: await workloadOf(name) }));

const untilNoWorkload = (name: string) =>
  eventually(`${name} has no Workload`, async () => {
    const workload = await stage.cluster.find(KUEUE_WORKLOADS[0]!, stage.namespace, name);
    return workload === undefined;
  });

const untilState = (job: JobHandle, state: string) =>
  eventually(`it is ${state}`, async () => {
    const status = await job.status();
    if (status.state !== state) throw new Error(`it is ${status.state}: ${status.cause?.message}`);
    return status;
  });

const setActive = async (name: string, active: boolean) => queues.setActive(await workloadOf(name), active);

/** Everything that the ledger has of a job, as text. */
const ledgerOf = async (job: JobHandle) => JSON.stringify(await job.history());

const stopped = async (...jobs: readonly JobHandle[]) => {
  for (const job of jobs) {
    await job.stop({ why: 'the test goes on' });
    await untilPhase(job, 'Stopped');
    await queues.untilItCounts((await job.status()).name);
  }
};

describe('a job that is submitted to a queue of Kueue', () => {
  it('waits without pods, is admitted, and runs on the nodes of its flavor', async () => {
    const first = await submit('first');
    await untilItRuns(first, 'first', 'reserved');
    expect((await first.status()).warnings).toEqual([]);
    const second = await submit('second');
    await untilItRuns(second, 'second', 'spot');
    const third = await submit('third');
    const why = await untilItWaitsFor(stage, 'third', 'WaitingForQueue', /insufficient unused quota for cpu/);
    expect(why).toMatchObject({
      ...{ sentence: 'Kueue has not admitted the job; position 1 of 1 in LocalQueue team', who: 'nobody' },
      place: { queue: 'LocalQueue', name: 'team', position: 1, of: 1, ahead: [] },
    });
    const { namespace, client } = stage;
    const [asked] = (await client.whyWaiting(queuedIn(namespace, 'fourth'))).reasons;
    expect(asked).toMatchObject({
      code: 'WaitingForQueue',
      sentence: `Kueue has to admit the job first; position 2 of 2 in LocalQueue team; ahead: job/${namespace}/third`,
    });
    await eventually('its status has the words of Kueue', async () => {
      const { state, cause } = await third.status();
      const isSaid = /no pods yet: Kueue: .*insufficient unused quota/.test(cause?.message ?? '');
      return state === 'Pending.Queued' && cause?.reason === 'WaitingForGang' && isSaid;
    });
    expect(await stage.pods('third')).toEqual([]);
    await endAll(stage, 'first');
    await untilPhase(first, 'Completed');
    await untilNoWorkload('first');
    await untilItRuns(third, 'third', 'reserved');
    await stopped(second, third);
    await Promise.all(['second', 'third'].map(untilNoWorkload));
  });

  it('is preempted by one of a higher priority, says so, and runs again later at no cost', async () => {
    const victims = [
      await submit('low-a', { annotations: LEAVES_SLOWLY }),
      await submit('low-b', { annotations: LEAVES_SLOWLY }),
    ];
    await Promise.all(['low-a', 'low-b'].map((name, index) => untilItRuns(victims[index]!, name)));
    const urgent = await submit('urgent', { priority: 'urgent' });
    const [victim, other] = await eventually('one is preempted', async () => {
      for (const name of ['low-a', 'low-b'])
        if (said(await workloadOf(name), 'Evicted')?.status === 'True')
          return name === 'low-a' ? (['low-a', 'low-b'] as const) : (['low-b', 'low-a'] as const);
    });
    const { uid } = (await workloadOf(victim)).metadata;
    await untilItGaveBack(victim);
    await untilItRuns(urgent, 'urgent');
    const job = stage.client.job({ name: victim });
    await untilItWaitsFor(stage, victim, 'WaitingForQueue', /insufficient unused quota|[Pp]reempted/);
    await stopped(stage.client.job({ name: other }));
    await untilItRuns(job, victim);
    expect(await job.status()).toMatchObject({ attempt: 2, restarts: 0 });
    expect((await workloadOf(victim)).metadata.uid).toBe(uid);
    expect(await ledgerOf(job)).toMatch(
      new RegExp(
        `"Preempted".*for job/${stage.namespace}/urgent; Kueue: Preempted: Preempted to accommodate`,
      ),
    );
    await stopped(job, urgent);
  });

  it('keeps its quota while its gang restarts', async () => {
    const policy = { restart: { ladder: [{ scope: 'gang' }] } };
    const job = await submit('restarted', { annotations: LEAVES_SLOWLY }, policy);
    const flavor = await untilItRuns(job, 'restarted');
    const other = await submit('beside');
    await untilItRuns(other, 'beside');
    const waits = await submit('waits');
    await untilItWaitsFor(stage, 'waits', 'WaitingForQueue', /insufficient unused quota/);
    const before = said(await workloadOf('restarted'), 'QuotaReserved')!;
    await stage.endPod('restarted-worker-1', { exitCode: 137 });
    await eventually('it is in its second attempt', async () => (await job.status()).attempt === 2);
    await untilItRuns(job, 'restarted', flavor);
    expect(said(await workloadOf('restarted'), 'QuotaReserved')).toEqual(before);
    expect(said(await workloadOf('restarted'), 'PodsReady')).toMatchObject({ reason: 'Recovered' });
    expect((await waits.status()).state).toBe('Pending.Queued');
    await stopped(job, other, waits);
  });

  it('gives back the quota of pods that have ended, and asks for all of it when the gang restarts', async () => {
    const policy = { restart: { ladder: [{ scope: 'gang' }] } };
    const job = await submit('ends-early', { annotations: LEAVES_SLOWLY }, policy);
    await untilItRuns(job, 'ends-early');
    const other = await submit('fills');
    await untilItRuns(other, 'fills');
    const small = await submit('small', { pods: 1 });
    await untilItWaitsFor(stage, 'small', 'WaitingForQueue', /insufficient unused quota/);
    await stage.endPod('ends-early-worker-0', { exitCode: 0 });
    await untilPhase(small, 'Running');
    expect(valueAt(await workloadOf('ends-early'), 'status.reclaimablePods')).toEqual([
      { name: 'worker', count: 1 },
    ]);
    const { phase, attempt } = await job.status();
    expect([phase, attempt]).toEqual(['Running', 1]);
    await stage.endPod('ends-early-worker-1', { exitCode: 137 });
    await untilItGaveBack('ends-early');
    expect(valueAt(await workloadOf('ends-early'), 'status.reclaimablePods')).toBeUndefined();
    await untilItWaitsFor(stage, 'ends-early', 'WaitingForQueue', /insufficient unused quota/);
    // Kueue 0.19.2 goes on to look at the flavor that it has tried last, also when the other one is free.
    await stopped(small, other);
    expect((await untilPhase(job, 'Running')).attempt).toBe(2);
    await stopped(job);
  });

  it('grows only by waiting for the quota of its new size', async () => {
    const job = await submit('grows', { annotations: LEAVES_SLOWLY, elastic: true });
    await untilItRuns(job, 'grows');
    await expect(job.scale({ role: 'Worker', replicas: 4, why: 'more data' })).rejects.toThrow(
      /cannot grow while it runs, because Kueue has admitted the job with the pods that it has/,
    );
    await stopped(job);
    const anew = await submit('anew', { annotations: LEAVES_SLOWLY }, { scaleByRestart: true });
    await untilItRuns(anew, 'anew');
    const other = await submit('in-the-way');
    await untilItRuns(other, 'in-the-way');
    const { uid } = (await workloadOf('anew')).metadata;
    await anew.scale({ role: 'Worker', replicas: 3, why: 'more data' });
    await untilItGaveBack('anew');
    await untilItWaitsFor(stage, 'anew', 'WaitingForQueue', /insufficient unused quota/);
    await stopped(other);
    await eventually('it runs with four pods', async () => {
      const { phase } = await anew.status();
      return phase === 'Running' && (await stage.pods('anew')).length === 4;
    });
    const workload = await workloadOf('anew');
    expect(workload.metadata.uid).toBe(uid);
    expect(podSetsOf(workload).map(({ count }) => count)).toEqual([1, 3]);
    await stopped(anew);
  });

  it('gives its quota back while it is suspended', async () => {
    const [job, other] = [
      await submit('suspended', { annotations: LEAVES_SLOWLY }),
      await submit('beside-it'),
    ];
    await untilItRuns(job, 'suspended');
    await untilItRuns(other, 'beside-it');
    const next = await submit('next');
    await untilItWaitsFor(stage, 'next', 'WaitingForQueue', /insufficient unused quota/);
    await job.suspend({ why: 'in the way' });
    await untilState(job, 'Suspended.Resting');
    await untilNoWorkload('suspended');
    await untilItRuns(next, 'next');
    await job.resume({ why: 'go on' });
    await untilItWaitsFor(stage, 'suspended', 'WaitingForQueue', /insufficient unused quota/);
    await stopped(next);
    await untilItRuns(job, 'suspended');
    await stopped(job, other);
  });

  it('asks again where somebody deletes its Workload, and waits where somebody deactivates it', async () => {
    const job = await submit('edited', { annotations: LEAVES_SLOWLY });
    await untilItRuns(job, 'edited');
    const { uid } = (await workloadOf('edited')).metadata;
    await stage.cluster.delete(KUEUE_WORKLOADS[0]!, stage.namespace, 'edited');
    await eventually('it is in its second attempt', async () => (await job.status()).attempt === 2);
    await untilItRuns(job, 'edited');
    expect((await workloadOf('edited')).metadata.uid).not.toBe(uid);
    expect(await ledgerOf(job)).toMatch(/"Evicted".*its Workload was deleted/);
    await setActive('edited', false);
    await untilItGaveBack('edited');
    const why = await untilItWaitsFor(stage, 'edited', 'QueueClosed', /The workload is deactivated/);
    expect(why.sentence).toBe('the job is deactivated in Kueue');
    await setActive('edited', true);
    await untilItRuns(job, 'edited');
    expect(await job.status()).toMatchObject({ restarts: 0 });
    await stopped(job);
  });

  it('has its pods placed by Kueue, which holds them by a gate until then', async () => {
    const annotations = { 'kueue.x-k8s.io/podset-required-topology': HOST };
    const job = await submit('placed', { queue: 'placed', annotations });
    await untilPhase(job, 'Running');
    for (const { spec } of await stage.pods('placed')) {
      expect(spec.nodeSelector).toMatchObject({ [HOST]: spec.nodeName });
      expect(spec.schedulingGates).toBeUndefined();
    }
    const assigned = valueAt(
      await workloadOf('placed'),
      'status.admission.podSetAssignments',
    ) as readonly object[];
    expect(assigned).toHaveLength(2);
    await stopped(job);
  });

  it('waits for what Kueue says, whatever that is', async () => {
    const [huge, lost] = [await submit('huge', { cpus: 2 }), await submit('lost', { queue: 'nowhere' })];
    await untilItWaitsFor(stage, 'huge', 'NeverFits', /> maximum capacity/);
    await untilItWaitsFor(stage, 'lost', 'QueueClosed', /LocalQueue nowhere doesn't exist/);
    const unknown = await submit('unknown', { priority: 'unheard-of' });
    await eventually('it says that its priority class is missing', async () => {
      const { cause } = await unknown.status();
      return cause?.reason === 'DependencyMissing' && /unheard-of/.test(cause.message);
    });
    await stopped(huge, lost, unknown);
  });

  it('goes on while the manager of Kueue is dead, and a new one is admitted when it is back', async () => {
    const job = await submit('lives');
    await untilItRuns(job, 'lives');
    await queues.kueue.stop();
    const next = await submit('meanwhile');
    await eventually('it says that the webhook does not answer', async () => {
      const { cause } = await next.status();
      return cause?.reason === 'WebhookUnavailable';
    });
    expect((await job.status()).phase).toBe('Running');
    await queues.kueue.restart();
    await untilItRuns(next, 'meanwhile');
    expect(await job.status()).toMatchObject({ phase: 'Running', attempt: 1 });
    await stopped(job, next);
  });

  it('that is a custom resource has the Workload of Kueue, and none of its own', async () => {
    await on.kubectl.apply([queuedIn(stage.namespace, 'resource')]);
    const resource = await on.untilPhase('resource', 'Running');
    const { items } = await stage.cluster.list(KUEUE_WORKLOADS[0]!, { namespace: stage.namespace });
    expect(items.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual([resource.metadata.uid]);
  });
});
