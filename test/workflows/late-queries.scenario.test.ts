import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';
import { queryJob } from '../../client/servers/query-job.ts';
import {
  DIGEST_SIGNAL,
  HOLD_UPDATE,
  RESUME_UPDATE,
  STATUS_QUERY,
  SUSPEND_UPDATE,
} from '../../contracts/messages.ts';
import type { JobStatus } from '../../contracts/status.ts';
import { findBundle } from '../../worker/bundle.ts';
import { REPLAYED_AFTER_QUERY } from '../../workflows/late-queries.ts';
import { startTemporal, type TemporalServer } from '../client/temporal-server.ts';
import { eventually } from '../eventually.ts';
import { TcpProxy } from '../long/tcp-proxy.ts';
import { aDigest, type DigestBuilder } from '../machines/builders.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { aManifest, anAdmission } from './admissions.ts';

/**
 * A worker is cut off. A query waits for it, then come signals, then an update. When it is back, it gets the query first,
 * and the signals with it.
 */

const TASK_QUEUE = 'late-queries-test';
const JOB = { name: 'asked', namespace: 'default' };
const workflowId = 'job/default/asked';
const ROUNDS = 10;
const QUERIES = 5;

let server: TemporalServer;
let proxy: TcpProxy;
let client: Client;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;
let workflowBundle: WorkflowBundleOption;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  [server, workflowBundle] = await Promise.all([
    startTemporal(),
    findBundle(undefined, new DefaultLogger('ERROR')),
  ]);
  proxy = await TcpProxy.open(server.port);
  client = new Client({ connection: await Connection.connect({ address: server.address }) });
  connection = await NativeConnection.connect({ address: `127.0.0.1:${proxy.port}` });
  const stickyQueueScheduleToStartTimeout = '1s';
  worker = await Worker.create({
    ...{ connection, taskQueue: TASK_QUEUE, workflowBundle, activities, stickyQueueScheduleToStartTimeout },
  });
  running = worker.run();
});

afterAll(async () => {
  worker?.shutdown();
  await running;
  await Promise.all([connection?.close(), client?.connection.close()]);
  await proxy?.close();
  await server?.stop();
});

const activities: Partial<Activities> = {
  admit: async () => ({ ...anAdmission(aManifest(JOB)), clusterId: undefined }),
  createAttempt: async () => ({ resourceVersion: 10 }),
  restorePods: async () => ({ resourceVersion: 1_000 }),
  suspend: async () => ({ resourceVersion: 0 }),
  recordStatus: async () => undefined,
};

const job = () => client.workflow.getHandle(workflowId);

const QUESTION = { name: STATUS_QUERY, timeoutMs: 10_000 };

let version = 0;

/** Sends what the watcher sees, again and again: the workflow ignores what it did not wait for yet. */
const isInState = (state: string, seen: DigestBuilder) =>
  eventually(`the job is ${state}`, async () => {
    await job().signal(DIGEST_SIGNAL, { ...seen.build(), resourceVersions: { pods: ++version } });
    const { state: now } = await queryJob<JobStatus>(client, { workflowId }, QUESTION);
    if (now !== state) throw new Error(now);
    return true;
  });

/** How many workflow tasks were not taken, or not completed, in time. */
async function timeouts(): Promise<number> {
  const { events } = await job().fetchHistory();
  return events?.filter((event) => event.workflowTaskTimedOutEventAttributes).length ?? 0;
}

/** A workflow task was refused, as a query had come with its events before. */
async function isReplayed(): Promise<boolean> {
  const { events = [] } = await job().fetchHistory();
  return (events ?? []).some(
    (event) => event.workflowTaskFailedEventAttributes?.failure?.message === REPLAYED_AFTER_QUERY,
  );
}

/** Until the proxy heals. */
function cutOff(): void {
  proxy.refuse();
  for (const link of proxy.links) proxy.cut(link);
}

async function askWhileAway(): Promise<void> {
  const before = await timeouts();
  cutOff();
  const queries = Array.from({ length: QUERIES }, () => job().query(STATUS_QUERY));
  await job().signal(SUSPEND_UPDATE, {});
  const updated = job()
    .executeUpdate(HOLD_UPDATE, { args: [{ seconds: 5 }] })
    .catch(() => undefined);
  await eventually('the workflow task is offered to any worker', async () => (await timeouts()) > before);
  proxy.heal();
  await Promise.all([updated, ...queries]);
}

describe('a query that arrives with signals of no workflow task yet', () => {
  it('is answered, and the history replays', async () => {
    await client.workflow.start('trainingJob', {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [simulatedJob(JOB)],
      workflowTaskTimeout: '2s',
    });
    // Which of query and workflow task a worker gets first is up to the server.
    for (let round = 1; !(await isReplayed()) && round <= ROUNDS; round++) {
      await isInState('Running', aDigest(0).attempt(round).master({ ready: 1 }).workers({ ready: 2 }));
      await askWhileAway();
      await isInState('Suspended.Resting', aDigest(0).attempt(0));
      await job().executeUpdate(RESUME_UPDATE, { args: [{}] });
    }
    expect(await isReplayed()).toBe(true);
    const replay = Worker.runReplayHistory({ workflowBundle }, await job().fetchHistory(), workflowId);
    await expect(replay).resolves.toBeUndefined();
  });

  it('is answered if the workflow is terminated before that task, too', async () => {
    cutOff();
    await job().signal(SUSPEND_UPDATE, {});
    await job().terminate();
    proxy.heal();
    await expect(job().query<JobStatus>(STATUS_QUERY)).resolves.toMatchObject({ name: JOB.name });
    await expect(job().query<JobStatus>(STATUS_QUERY)).resolves.toMatchObject({ name: JOB.name });
  });
});
