import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type Pod, PRIORITY_CLASSES } from '../../contracts/kubernetes.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type GangStage, openGangStage, untilItWaits } from './gang-stage.ts';
import { GroupDefinition } from './group-definition.ts';
import { untilPhase } from './stage.ts';

/** Whole jobs on the real gang schedulers, each on slots of its own: tests of all schedulers run side by side. */

let stage: GangStage;

beforeAll(async () => {
  stage = await openGangStage();
});

afterAll(() => stage.close());

const withPolicy = (schedulingPolicy: object) => ({ runPolicy: { schedulingPolicy } });

const GANG_SCHEDULERS = ['native', 'volcano', 'coscheduling'] as const;

async function endsWell(job: JobHandle): Promise<void> {
  const { name } = await statusOf(job);
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

describe('a gang of ten with room for nine', () => {
  /**
   * How each says why; how many pods another job then finds room for. Volcano and Kubernetes hold nothing. Coscheduling
   * holds nine slots while no more than a tenth is missing, lets go after the time-out (the next test), and tries again at
   * once: whether another job is quicker is chance.
   */
  const cases: readonly [
    gang: (typeof GANG_SCHEDULERS)[number],
    policy: object,
    others: number | undefined,
    words: RegExp[],
  ][] = [
    [
      'native',
      {},
      9,
      [
        /gang: (pod group is unschedulable|minCount \(10\) cannot be satisfied)/,
        /Insufficient nvidia.com\/gpu/,
        /Kubernetes reserves nothing/,
      ],
    ],
    [
      'volcano',
      {},
      9,
      [
        /phase Inqueue.*1 Unschedulable, 9 Schedulable/,
        /Insufficient nvidia.com\/gpu/,
        /Volcano reserves nothing/,
      ],
    ],
    [
      'coscheduling',
      { scheduleTimeoutSeconds: 3 },
      undefined,
      [
        /gang: phase Scheduling/,
        /Coscheduling may hold nodes/,
        /Insufficient nvidia.com\/gpu|rejected due to timeout|rejection in Unreserve/,
      ],
    ],
  ];

  it.concurrent.each(cases)(
    'waits on %s, leaves the room to others where it reserves none, and starts when there is a tenth slot',
    async (gang, schedulingPolicy, others, words) => {
      const pool = await stage.pool({ nodes: [5, 4], resource: 'nvidia.com/gpu' });
      const name = `ten-${gang}`;
      const job = await stage.submit({ name, gang, pool, runPolicy: { schedulingPolicy } });
      const { phase } = await untilItWaits(job, 'WaitingForGang', [/0 of 10 pods have a node/, ...words]);
      expect(phase).toBe('Pending');
      if (others) {
        const other = await stage.submit({ name: `others-${gang}`, gang, pool, pods: others });
        await untilPhase(other, 'Running');
        await endsWell(other);
      }
      expect(await stage.bound(name)).toEqual([]);
      await pool.addNode(1);
      await untilPhase(job, 'Running');
      await endsWell(job);
    },
  );

  it.concurrent('is released by Coscheduling after the time-out of the job', async () => {
    const pool = await stage.pool({ nodes: [9], resource: 'nvidia.com/gpu' });
    const runPolicy = { schedulingPolicy: { scheduleTimeoutSeconds: 1 } };
    const job = await stage.submit({ name: 'held', gang: 'coscheduling', pool, runPolicy });
    await eventually('a pod says that its time is over', async () =>
      (await stage.pods('held'))
        .flatMap(({ status }) => status?.conditions ?? [])
        .some(({ message }) => message?.includes('timeout after waiting 1s at plugin Coscheduling')),
    );
    expect(await stage.bound('held')).toEqual([]);
    await job.stop({});
    await job.wait();
  });
});

describe('two gangs of ten on ten slots', () => {
  /**
   * Of Coscheduling only minResources, which signalbox asks for, keeps their pods from mixing: it refuses a gang of which
   * the cluster has not all resources free. Where others of the same resource are free on nodes that the gang does not
   * want, each can hold a part until the time-out.
   */
  it.concurrent.each(GANG_SCHEDULERS)('run one after the other on %s', async (gang) => {
    const pool = await stage.pool({ nodes: [4, 4, 2] });
    const names = [`one-${gang}`, `two-${gang}`];
    const jobs = await Promise.all(names.map((name) => stage.submit({ name, gang, pool })));
    const [first, second] = await inOrderOfStart(jobs);
    expect(await stage.bound((await statusOf(second)).name)).toEqual([]);
    await endsWell(first);
    await untilPhase(second, 'Running');
    await endsWell(second);
  });

  const inOrderOfStart = (jobs: readonly JobHandle[]) =>
    eventually('one of them runs', async (): Promise<[JobHandle, JobHandle] | undefined> => {
      const phases = await Promise.all(jobs.map(async (job) => (await statusOf(job)).phase));
      const running = phases.indexOf('Running');
      return running < 0 ? undefined : [jobs[running]!, jobs[1 - running]!];
    });
});

describe('an elastic gang with room for its minimum number of workers', () => {
  const elasticPolicy = { minReplicas: 2, maxReplicas: 4 };

  it.concurrent.each(GANG_SCHEDULERS)(
    'runs with that number on %s, and completes with them',
    async (gang) => {
      const pool = await stage.pool({ nodes: [2] });
      const name = `elastic-${gang}`;
      const runPolicy = { cleanPodPolicy: 'None' };
      const job = await stage.submit({ name, gang, pool, pods: 4, elasticPolicy, runPolicy });
      await untilPhase(job, 'Running');
      const bound = await stage.bound(name);
      expect(bound).toHaveLength(2);
      // The room of those that end is nobody else's.
      await pool.cordon(0);
      for (const { metadata } of bound) await stage.endPod(metadata.name, { exitCode: 0 });
      expect((await job.wait()).phase).toBe('Completed');
      const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name).sort();
      expect(names(await stage.pods(name))).toEqual(names(bound));
    },
  );
});

describe('the gang scheduler of a job', () => {
  const cases: readonly { why: string; name: string; fields: object; provider: GangProvider }[] = [
    { why: 'that asks for nothing', name: 'plain', fields: {}, provider: 'native' },
    { why: 'with a queue', name: 'queued', fields: withPolicy({ queue: 'default' }), provider: 'volcano' },
    {
      why: 'with a time-out',
      name: 'limited',
      fields: withPolicy({ scheduleTimeoutSeconds: 5 }),
      provider: 'coscheduling',
    },
    {
      why: 'of which a template names Volcano',
      name: 'volcano',
      fields: { schedulerName: 'volcano' },
      provider: 'volcano',
    },
    {
      why: 'of which a template names Coscheduling',
      name: 'coscheduling',
      fields: { schedulerName: 'scheduler-plugins-scheduler' },
      provider: 'coscheduling',
    },
  ];

  it.concurrent.each(cases)('$why is $provider', async ({ name, fields, provider }) => {
    const pool = await stage.pool({ nodes: [3] });
    const job = await stage.submit({ name, pool, pods: 3, ...fields });
    const { warnings } = await untilPhase(job, 'Running');
    expect(warnings).toEqual([]);
    expect(await groupsOf(name)).toEqual([provider]);
    await endsWell(job);
    await eventually('its group is gone', async () => (await groupsOf(name)).length === 0);
  });

  it.concurrent('is not that of a template with its own one, which causes a warning', async () => {
    const pool = await stage.pool({ nodes: [3] });
    const job = await stage.submit({ name: 'other', pool, pods: 3, schedulerName: 'mine' });
    const { warnings } = await untilItWaits(job, 'WaitingForGang', [
      /0 of 3 pods have a node/,
      /default-scheduler has not processed the group/,
    ]);
    expect(warnings).toContain(
      'spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName: names mine; default-scheduler, which places this gang, will not place these pods',
    );
    await job.stop({});
    await job.wait();
  });

  /** The schedulers that have a group of the job. */
  async function groupsOf(name: string): Promise<string[]> {
    const providers = [...GANG_SCHEDULERS, 'kube-batch'] as const;
    const groups = await Promise.all(providers.map((provider) => stage.group(provider, name)));
    return providers.filter((_, position) => groups[position]);
  }
});

describe('a native gang with a priority', () => {
  it.concurrent('is placed: its pods have the priority of its group', async () => {
    const name = `priority-${stage.namespace}`;
    const priority = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } };
    await stage.cluster.create(PRIORITY_CLASSES, { ...priority, value: 1_000 });
    const pool = await stage.pool({ nodes: [3] });
    const runPolicy = { schedulingPolicy: { priorityClass: name } };
    const job = await stage.submit({ name: 'urgent', gang: 'native', pool, pods: 3, runPolicy });
    await untilPhase(job, 'Running');
    const bound = await stage.bound('urgent');
    expect(bound.map(({ spec }) => spec.priorityClassName)).toEqual([name, name, name]);
    await endsWell(job);
    await stage.cluster.delete(PRIORITY_CLASSES, undefined, name);
  });
});

describe('a gang for kube-batch, whose scheduler cannot run', () => {
  it.concurrent('has its group and marks, and shows why it waits', async () => {
    const definition = await GroupDefinition.open(stage.cluster);
    await definition.install();
    const pool = await stage.pool({ nodes: [3] });
    const runPolicy = { schedulingPolicy: { queue: 'research', priorityClass: 'high' } };
    const job = await stage.submit({ name: 'batch', gang: 'kube-batch', pool, pods: 3, runPolicy });
    await untilItWaits(job, 'WaitingForGang', [
      /0 of 3 pods have a node/,
      /kube-batch has not processed the group yet .*does not run with Kubernetes 1.22/,
    ]);
    const group = await stage.group('kube-batch', 'batch');
    expect(group?.spec).toEqual({ minMember: 3, queue: 'research', priorityClassName: 'high' });
    const marks = (await stage.pods('batch')).map(({ metadata, spec }) => [
      metadata.annotations?.['scheduling.k8s.io/group-name'],
      spec.schedulerName,
    ]);
    expect(marks).toEqual(Array.from({ length: 3 }, () => ['batch', 'kube-batch']));
    await job.stop({});
    await job.wait();
    expect(await stage.group('kube-batch', 'batch')).toBeUndefined();
    await definition.close();
  });
});
