import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Digest } from '../../contracts/digest.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import { NODE_LOST, RECOVERY, STALL, START_UP } from '../../machines/model/job-context.ts';
import { eventually } from '../eventually.ts';
import { aPlan, type PlanBuilder } from '../machines/builders.ts';
import { MachineRun } from '../machines/machine-run.ts';
import { WAYS, type WayToGoBlind } from '../simulation/api-network.ts';
import { HOME } from './a-tracker.ts';
import { aNode, aPod, type NodeChoice, RUNNING, waitingFor } from './fixtures.ts';
import { WatchedCluster } from './watched-cluster.ts';

/**
 * The four limits that judge a job by what its watcher tells, in a closed loop: the watcher's streams, its answer to the
 * question, and the machine that judges by it. Whatever makes the watcher blind, no limit is judged by what was true
 * before.
 */

const LIMIT_MS = 60_000;
/** Real milliseconds: the watcher measures how long the program is silent. */
const SILENCE_MS = 50;
const STEP = 'example.com/step';
const soon = { everyMs: 5, withinMs: 30_000 };

interface Limit {
  readonly timer: string;
  /** The kind of objects that shows the trouble. */
  readonly stream: 'pods' | 'nodes';
  readonly plan: () => PlanBuilder;
  readonly watch?: WatchRules;
  /** How the job is when its time is over. */
  readonly trouble: () => void;
  readonly recovery: () => void;
}

let watched: WatchedCluster;
let run: MachineRun;
let received: Digest[];

const pod = (choice: Parameters<typeof aPod>[0]) =>
  watched.cluster.apply('pods', aPod({ ...HOME, ...choice }));
const node = (ready: NodeChoice['ready']) => watched.cluster.apply('nodes', aNode({ ready }));

const restarted = (isReady: boolean) => {
  const [container] = RUNNING.containerStatuses ?? [];
  const conditions = [
    { type: 'PodScheduled', status: 'True' as const },
    { type: 'Ready', status: isReady ? ('True' as const) : ('False' as const) },
  ];
  const statuses = container ? [{ ...container, ready: isReady, restartCount: 1 }] : [];
  return { ...RUNNING, conditions, containerStatuses: statuses };
};

const LIMITS: readonly Limit[] = [
  {
    timer: START_UP,
    stream: 'pods',
    plan: () =>
      aPlan()
        .workers(1)
        .policy({ failures: { startUpAfterMs: LIMIT_MS } }),
    trouble: () => pod({ status: waitingFor('CreateContainerConfigError', 'configmap "later" not found') }),
    recovery: () => pod({ status: RUNNING }),
  },
  {
    timer: RECOVERY,
    stream: 'pods',
    plan: () =>
      aPlan()
        .workers(1)
        .policy({ restart: { ladder: [{ scope: 'container', withinMs: LIMIT_MS }, { scope: 'pod' }] } }),
    trouble: () => pod({ status: restarted(false) }),
    recovery: () => pod({ status: restarted(true) }),
  },
  {
    timer: NODE_LOST,
    stream: 'nodes',
    plan: () =>
      aPlan()
        .workers(1)
        .policy({ nodes: { lostAfterMs: LIMIT_MS } }),
    trouble: () => node('Unknown'),
    recovery: () => node('True'),
  },
  {
    timer: STALL,
    stream: 'pods',
    plan: () =>
      aPlan()
        .workers(1)
        .policy({ progress: { annotation: STEP, stalledAfterMs: SILENCE_MS } }),
    watch: { progress: { annotation: STEP } },
    trouble: () => pod({ status: RUNNING, node: 'gpu-1', annotations: { [STEP]: '1' } }),
    recovery: () => pod({ status: RUNNING, node: 'gpu-1', annotations: { [STEP]: '2' } }),
  },
];

const QUESTION = 1_000;

beforeEach(() => {
  received = [];
  watched = new WatchedCluster((digest) => {
    received.push(digest);
    run.receivesDigest(digest);
  });
});

afterEach(() => watched.close());

/** A job that ran, and then got into the trouble of this limit. Its time is over. */
async function inTrouble({ timer, plan, watch, trouble }: Limit): Promise<void> {
  run = new MachineRun(plan());
  node('True');
  watched.anchor({ watch });
  pod({ status: RUNNING, node: 'gpu-1' });
  run.does('createAttempt', watched.cluster.resourceVersion);
  await watched.start();
  await eventually('it runs', () => run.state === 'Running', soon);
  if (timer === START_UP) {
    run = new MachineRun(plan());
    run.does('createAttempt', watched.cluster.resourceVersion);
  }
  trouble();
  await eventually('its time begins', () => run.deadlines[timer] !== undefined && isSeen(timer), soon);
}

/** A program is silent for its limit. The machine knows of all other troubles. */
function isSeen(timer: string): boolean {
  const { digest } = run.context;
  if (timer === START_UP) return digest?.waiting !== undefined;
  if (timer === STALL) return Date.now() - (digest?.lastReportAt ?? Number.POSITIVE_INFINITY) > SILENCE_MS;
  return true;
}

const ask = ({ watch }: Limit) => watched.anchor({ watch, question: QUESTION });
const answer = () => received.find(({ answers }) => answers === QUESTION);
const untilAnswered = () => eventually('the question is answered', answer, soon);

const cases = LIMITS.flatMap((limit) => WAYS.map((way) => [limit.timer, way, limit] as const));

describe('a limit is judged by the state after the question', () => {
  it.each(cases)('%s, for a watcher that is blind by %s', async (timer, way, limit) => {
    await inTrouble(limit);
    watched.cluster.blind(limit.stream, way);
    limit.recovery();
    ask(limit);
    await staysUnanswered(limit, way);
    await untilAnswered();
    const { restarts } = run.status;
    expect(run.fires(timer).effects).toEqual([]);
    expect(run.status).toMatchObject({ phase: 'Running', attempt: 1, restarts });
  });

  it.each(LIMITS.map((limit) => [limit.timer, limit] as const))(
    '%s: the job is in trouble if it still is after that',
    async (timer, limit) => {
      await inTrouble(limit);
      ask(limit);
      await untilAnswered();
      run.fires(timer);
      expect(run.context.trouble ?? run.context.restarting ?? run.context.lost).toBeDefined();
    },
  );
});

/**
 * A watch that answers 410 is followed by a list, and a dead connection is given up: both heal by themselves. Who may not
 * read nodes knows of no trouble.
 */
async function staysUnanswered({ stream }: Limit, way: WayToGoBlind): Promise<void> {
  if (way === 'dead connection' || way === '410 storm') return;
  if (way === 'forbidden' && stream === 'nodes') return;
  const tries = way === 'forbidden' ? 6 : 2;
  await eventually('it was tried', () => (watched.cluster.spoiled[stream] ?? 0) >= tries, soon);
  expect(answer()).toBeUndefined();
  watched.cluster.heal();
}

it('a deletion that the stream has not delivered is waited for', async () => {
  const [limit] = LIMITS;
  await inTrouble(limit!);
  watched.cluster.blind('pods', 'dead connection');
  watched.cluster.delete('pods', aPod(HOME));
  ask(limit!);
  await untilAnswered();
  expect(answer()).toMatchObject({ attempt: 0, vanished: [{ pod: 'resnet-worker-0' }] });
});

it('a pod whose label was changed delays no answer', async () => {
  const [limit] = LIMITS;
  await inTrouble(limit!);
  const { metadata, ...rest } = aPod({ ...HOME, status: RUNNING });
  const labels = { ...metadata.labels, 'signalbox.dev/job': 'another' };
  watched.cluster.apply('pods', { ...rest, metadata: { ...metadata, labels } });
  ask(limit!);
  await untilAnswered();
});

it('a thousand questions at once need some dozen lists, few at a time', async () => {
  run = new MachineRun(aPlan().workers(1));
  const jobs = Array.from({ length: 1_000 }, (_, index) => `job-${index}`);
  for (const job of jobs) {
    watched.anchor({ job, uid: job });
    pod({ job, owner: job, status: RUNNING });
  }
  await watched.start();
  const before = watched.cluster.lists.pods ?? 0;
  watched.cluster.mostListsAtOnce = 0;
  for (const job of jobs) watched.anchor({ job, uid: job, question: QUESTION });
  await eventually(
    'all are answered',
    () =>
      new Set(received.filter(({ answers }) => answers === QUESTION).map(({ anchor }) => anchor)).size ===
      1_000,
    soon,
  );
  expect((watched.cluster.lists.pods ?? 0) - before).toBeLessThanOrEqual(30);
  expect(watched.cluster.mostListsAtOnce).toBeLessThanOrEqual(3);
});

describe('a new job', () => {
  beforeEach(async () => {
    run = new MachineRun(aPlan().workers(1));
    await watched.start();
  });

  it('whose first pod is deleted before its workflow gets a digest learns that it has none', async () => {
    watched.anchor({});
    pod({ status: RUNNING });
    watched.cluster.delete('pods', aPod(HOME));
    await eventually('it is reported', () => received.at(-1)?.attempt === 0, soon);
  });

  it('whose first pod is deleted before its anchor is read learns that it has none', async () => {
    pod({ status: RUNNING });
    watched.cluster.delete('pods', aPod(HOME));
    await eventually('the pods are read', () => watched.hasReadPods, soon);
    watched.anchor({});
    await eventually('it is reported', () => received.at(-1)?.attempt === 0, soon);
  });

  it('whose first pod came and went while the watcher was blind learns that it has none', async () => {
    watched.cluster.blind('pods', 'forbidden');
    watched.anchor({});
    pod({ status: RUNNING });
    watched.cluster.delete('pods', aPod(HOME));
    await eventually('the anchor is read', () => (watched.cluster.spoiled.pods ?? 0) > 1, soon);
    expect(received).toEqual([]);
    watched.cluster.blind('pods', '410 storm');
    watched.cluster.heal();
    await eventually('it is reported', () => received.at(-1)?.attempt === 0, soon);
  });

  it('that had no pods at a list, and had some since, learns it at the next list', async () => {
    watched.cluster.blind('pods', '410 storm');
    watched.anchor({});
    const isReported = (resourceVersion: number) => () =>
      (received.at(-1)?.resourceVersions.pods ?? 0) >= resourceVersion;
    await eventually('it is reported of the first list', isReported(1), soon);
    watched.cluster.blind('pods', 'slow list');
    pod({ status: RUNNING });
    watched.cluster.delete('pods', aPod(HOME));
    watched.cluster.heal();
    await eventually('it is reported of the next', isReported(watched.cluster.resourceVersion), soon);
  });
});
