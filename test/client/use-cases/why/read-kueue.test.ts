import { describe, expect, it } from '@jest/globals';
import { type HeldByKueue, readKueue, readLocalQueue } from '../../../../client/use-cases/why/read-kueue.ts';
import type { TrainingJob } from '../../../../contracts/training-job.ts';
import { type Answers, list, readingOf, served } from './answering-cluster.ts';

/** What Kueue says of what it holds back. Its words and reasons are those of 0.19.2: of a run, or of its source. */

const HELD = {
  ...{ namespace: 'ml', uids: new Set(['a-pod']) },
  by: { gate: 'kueue.x-k8s.io/admission' },
} as const;

interface Said {
  readonly type?: string;
  readonly status?: string;
  readonly reason: string;
  readonly message: string;
}

const workload = (conditions: readonly Said[], { owner = 'a-pod', active = true } = {}) => ({
  metadata: { name: 'pod-train', ownerReferences: [{ uid: owner }] },
  spec: { active },
  status: {
    conditions: conditions.map((said) => ({
      ...{ type: 'QuotaReserved', status: 'False', lastTransitionTime: '2026-11-27T11:00:00Z', ...said },
    })),
  },
});

const sayingOf = (workloads: object, { version = 'v1beta1', held = HELD as HeldByKueue } = {}) =>
  readKueue(
    readingOf({
      [`/apis/kueue.x-k8s.io/${version}`]: served('workloads'),
      [`/apis/kueue.x-k8s.io/${version}/namespaces/ml/workloads`]: workloads,
    }).reading,
    held,
  );

const MAXIMUM =
  'insufficient quota for cpu in flavor f, previously considered podsets requests (0) + current podset request (8) > maximum capacity (4)';

const CASES = [
  [
    'Pending',
    "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, 2 more needed",
    'WaitingForQueue',
  ],
  ['Pending', `${MAXIMUM}, insufficient unused quota for cpu in flavor g, 2 more needed`, 'WaitingForQueue'],
  [
    'Pending',
    'untolerated taint x in flavor f, insufficient unused quota for cpu in flavor g',
    'WaitingForQueue',
  ],
  ['Pending', "untolerated taint x in flavor f, flavor g doesn't match node affinity", 'QueueClosed'],
  // Of a job with two roles, one of which never fits.
  [
    'Pending',
    `couldn't assign flavors to pod set master: insufficient unused quota for cpu in flavor f, 2 more needed; couldn't assign flavors to pod set worker: ${MAXIMUM}`,
    'NeverFits',
  ],
  ['PendingEvaluation', 'Workload is pending evaluation in the scheduling queue', 'WaitingForQueue'],
  ['WaitingForQuota', 'insufficient unused quota', 'WaitingForQueue'],
  ['Pending', MAXIMUM, 'NeverFits'],
  ['ExceedsMaxQuota', 'insufficient quota', 'NeverFits'],
  ['Inadmissible', "LocalQueue x doesn't exist", 'QueueClosed'],
  ['Inadmissible', 'ClusterQueue team is inactive', 'QueueClosed'],
  ['Inadmissible', 'LocalQueue team is stopped', 'QueueClosed'],
  ['Suspended', 'ClusterQueue team is inactive', 'QueueClosed'],
  ['OnHold', 'the queue is on hold', 'QueueClosed'],
] as const;

describe.each(['v1beta1', 'v1beta2'])('Kueue with %s', (version) => {
  it.each(CASES)('that says %s: %s, means %s', async (reason, message, code) => {
    const said = await sayingOf(list(workload([{ reason, message }])), { version });
    expect(said).toEqual({
      ...{ of: 'Kueue', code, message: `${reason}: ${message}`, since: '2026-11-27T11:00:00Z' },
      gate: 'kueue.x-k8s.io/admission',
    });
  });
});

const reserved = { status: 'True', reason: 'QuotaReserved', message: 'reserved' } as const;
const admitted = { type: 'Admitted', status: 'True', reason: 'Admitted', message: 'admitted' } as const;
const deactivated = {
  ...{ type: 'Evicted', status: 'True', reason: 'Deactivated', message: 'The workload is deactivated' },
} as const;

it('says nothing of a workload that it has admitted', async () => {
  expect(await sayingOf(list(workload([reserved, admitted])))).toBe(undefined);
});

it('says what a workload with quota still waits for', async () => {
  const checks = { ...admitted, status: 'False', reason: 'NoChecks', message: 'checks are pending' };
  expect(await sayingOf(list(workload([reserved, checks])))).toMatchObject({
    ...{ code: 'WaitingForQueue', message: 'NoChecks: checks are pending' },
  });
});

it('says why a workload was evicted, also while its pods keep the quota', async () => {
  const preempted = { ...deactivated, reason: 'Preempted', message: 'Preempted to accommodate a workload' };
  for (const kept of [[reserved, admitted], []]) {
    expect(await sayingOf(list(workload([...kept, preempted])))).toMatchObject({
      ...{ code: 'WaitingForQueue', message: 'Preempted: Preempted to accommodate a workload' },
    });
  }
});

it('says that somebody has deactivated the job', async () => {
  const pending = { reason: 'Pending', message: 'The workload is deactivated' };
  expect(await sayingOf(list(workload([pending, deactivated], { active: false })))).toMatchObject({
    ...{ code: 'QueueClosed', isDeactivated: true, message: 'Pending: The workload is deactivated' },
  });
});

it('says that it has said nothing', async () => {
  expect(await sayingOf(list(workload([])))).toMatchObject({
    ...{ code: 'WaitingForQueue', message: 'it has said nothing of the job yet' },
  });
});

it('is asked for the resource of a suspended job', async () => {
  const held = { namespace: 'ml', uids: new Set(['a-job']), by: { suspends: true } } as const;
  const waits = workload([{ reason: 'Pending', message: 'insufficient unused quota' }], { owner: 'a-job' });
  expect(await sayingOf(list(waits), { held })).toMatchObject({ code: 'WaitingForQueue', suspends: true });
});

it('says nothing by the workload of others', async () => {
  const other = workload([{ reason: 'Pending', message: 'x' }], { owner: 'another' });
  expect(await sayingOf(list(other))).toBe(undefined);
});

it('is not asked where nothing is held back', async () => {
  const { reading, sent } = readingOf({});
  expect(await readKueue(reading, undefined)).toBe(undefined);
  expect(sent).toEqual([]);
});

describe('the queue of a job that is not submitted', () => {
  const JOB = { namespace: 'ml', gang: { kueue: { queue: 'team' } }, roles: [] } as unknown as TrainingJob;
  const SERVED = { '/apis/kueue.x-k8s.io/v1beta2': served('localqueues') };

  it('does not exist', async () => {
    expect(await readLocalQueue(readingOf(SERVED).reading, JOB, 'kueue')).toEqual({
      ...{ of: 'Kueue', code: 'QueueClosed', message: 'there is no LocalQueue team in namespace ml' },
    });
  });

  it('exists, is not known, or is not asked for', async () => {
    const path = '/apis/kueue.x-k8s.io/v1beta2/namespaces/ml/localqueues/team';
    const exists = readingOf({ ...SERVED, [path]: { metadata: { name: 'team' } } });
    expect(await readLocalQueue(exists.reading, JOB, 'kueue')).toBeUndefined();
    const forbidden = readingOf({ ...SERVED, [path]: 403 });
    expect(await readLocalQueue(forbidden.reading, JOB, 'kueue')).toBeUndefined();
    expect(forbidden.reading.unread[0]).toMatch(/whether there is a LocalQueue team is not known/);
    expect(await readLocalQueue(readingOf(SERVED).reading, JOB, 'none')).toBeUndefined();
  });
});

describe('the position of a job in its LocalQueue', () => {
  const WORKLOADS = '/apis/kueue.x-k8s.io/v1beta2';
  const pendingAt = (version: string) =>
    `/apis/visibility.kueue.x-k8s.io/${version}/namespaces/ml/localqueues/team/pendingworkloads`;
  const ANCHOR = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'eval.signalbox',
    uid: 'eval',
    controller: true,
  };
  const waits = [{ reason: 'Pending', message: 'insufficient unused quota' }];
  interface Queued {
    readonly name: string;
    readonly owner?: object;
    readonly priority?: number;
    readonly minute?: number;
    readonly queueName?: string;
    readonly conditions?: readonly Said[];
  }
  const queued = ({
    name,
    owner,
    priority = 0,
    minute = 0,
    queueName = 'team',
    conditions = waits,
  }: Queued) => {
    const base = workload(conditions);
    return {
      ...base,
      metadata: {
        ...{ name, namespace: 'ml', creationTimestamp: `2026-11-27T10:${10 + minute}:00Z` },
        ownerReferences: owner ? [owner] : [],
      },
      spec: { ...base.spec, queueName, priority },
    };
  };
  const MINE = queued({ name: 'mine', owner: { uid: 'a-pod', name: 'train' }, minute: 5 });
  const OTHERS = [
    queued({ name: 'late', minute: 9 }),
    queued({ name: 'early', owner: { kind: 'Job', name: 'etl', uid: 'etl' }, minute: 1 }),
    queued({ name: 'urgent', owner: ANCHOR, priority: 5, minute: 8 }),
    queued({ name: 'elsewhere', queueName: 'other' }),
    queued({ name: 'runs', conditions: [reserved, admitted] }),
    queued({ name: 'ended', conditions: [{ ...admitted, type: 'Finished' }] }),
  ];

  async function placeIn(answers: Answers, workloads: readonly object[] = [...OTHERS, MINE]) {
    const { reading } = readingOf({
      [WORKLOADS]: served('workloads'),
      [`${WORKLOADS}/namespaces/ml/workloads`]: list(...workloads),
      ...answers,
    });
    return { said: await readKueue(reading, HELD), unread: reading.unread };
  }

  it.each(['v1beta1', 'v1beta2'])('is what its visibility API says: %s', async (version) => {
    const pending = (name: string, position: number, owner?: object) => ({
      metadata: { name, namespace: 'ml', ...(owner ? { ownerReferences: [owner] } : {}) },
      ...{ priority: 0, localQueueName: 'team' },
      ...{ positionInLocalQueue: position, positionInClusterQueue: position + 3 },
    });
    const items = [pending('mine', 1), pending('urgent', 0, ANCHOR), pending('late', 2)];
    const { said, unread } = await placeIn({ [pendingAt(version)]: { items } });
    expect(said?.place).toEqual({
      ...{ queue: 'LocalQueue', name: 'team', position: 2, of: 3, inClusterQueue: 5 },
      ahead: [{ who: 'job/ml/eval' }],
    });
    expect(unread).toEqual([]);
  });

  it.each([
    ['is not served', {}],
    ['does not answer (403 no right)', { [pendingAt('v1beta2')]: 403 }],
    ['does not have it', { [pendingAt('v1beta2')]: { items: [] } }],
  ] as const)('is by priority and age, and that is said, where that %s', async (why, answers) => {
    const { said, unread } = await placeIn(answers);
    expect(said?.place).toEqual({
      ...{ queue: 'LocalQueue', name: 'team', position: 3, of: 4 },
      ahead: [{ who: 'job/ml/eval' }, { who: 'ml/etl' }],
    });
    expect(unread).toEqual([
      `its position in LocalQueue team is by priority and age, because Kueue's visibility API ${why}; other LocalQueues are not counted`,
    ]);
  });

  it('would be behind all of at least its priority before the job is submitted', async () => {
    const job = {
      ...{ namespace: 'ml', roles: [] },
      gang: { kueue: { queue: 'team', priorityClass: 'high' } },
    } as unknown as TrainingJob;
    const pending = (name: string, priority: number) => ({ metadata: { name, namespace: 'ml' }, priority });
    const asked = async (priority: number, answers: Answers) => {
      const { reading } = readingOf({
        [WORKLOADS]: served('localqueues', 'workloads'),
        [`${WORKLOADS}/namespaces/ml/localqueues/team`]: { metadata: { name: 'team' } },
        [`${WORKLOADS}/workloadpriorityclasses/high`]: { metadata: { name: 'high' }, value: priority },
        ...answers,
      });
      return { said: await readLocalQueue(reading, job, 'kueue'), unread: reading.unread };
    };
    const items = [pending('first', 9), pending('second', 3)];
    const visible = { [pendingAt('v1beta2')]: { items } };
    expect((await asked(3, visible)).said).toEqual({
      ...{ of: 'Kueue', code: 'WaitingForQueue' },
      place: {
        ...{ queue: 'LocalQueue', name: 'team', position: 3, of: 3 },
        ahead: [{ who: 'ml/first' }, { who: 'ml/second' }],
      },
    });
    expect((await asked(4, visible)).said?.place).toMatchObject({ position: 2, of: 3 });
    expect(await asked(4, { [pendingAt('v1beta2')]: { items: [] } })).toEqual({
      said: undefined,
      unread: [],
    });
    const byAge = await asked(0, { [`${WORKLOADS}/namespaces/ml/workloads`]: list(...OTHERS) });
    expect(byAge.said?.place).toMatchObject({ position: 4, of: 4, ahead: [{ who: 'job/ml/eval' }, {}, {}] });
    expect(byAge.unread).toEqual([expect.stringMatching(/by priority and age, .* is not served/)]);
    const unread = await asked(0, { ...visible, [`${WORKLOADS}/workloadpriorityclasses/high`]: 403 });
    expect(unread).toEqual({
      said: undefined,
      unread: [expect.stringMatching(/position in LocalQueue team is not known: priority classes may not/)],
    });
  });

  it('is none for one that has quota, or can never have it', async () => {
    const checks = { ...admitted, status: 'False', reason: 'NoChecks', message: 'checks are pending' };
    for (const conditions of [[reserved, checks], [{ reason: 'Pending', message: MAXIMUM }]]) {
      const own = queued({ name: 'mine', owner: { uid: 'a-pod' }, conditions });
      const { said, unread } = await placeIn({}, [own]);
      expect([said?.of, said?.place, unread]).toEqual(['Kueue', undefined, []]);
    }
  });
});
