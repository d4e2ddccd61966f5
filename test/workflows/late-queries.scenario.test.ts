import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queryJob } from '../../client/servers/query-job.ts';
import { DIGEST_SIGNAL, STATUS_QUERY, UPDATES } from '../../contracts/messages.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { REPLAYED_AFTER_QUERY } from '../../workflows/late-queries.ts';
import { eventually } from '../eventually.ts';
import { TcpProxy } from '../long/tcp-proxy.ts';
import { aDigest, type DigestBuilder } from '../machines/builders.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { ServerStage, succeedingActivities, TASK_QUEUE } from './server-stage.ts';

/**
 * A worker is cut off. A query waits for it, then come signals, then an update. When it is back, it gets the query first,
 * and the signals with it.
 */

const JOB = { name: 'asked', namespace: 'default' };
const workflowId = 'job/default/asked';
const ROUNDS = 30;
const QUERIES = 20;

let stage: ServerStage;
let proxy: TcpProxy;

beforeAll(async () => {
  stage = await ServerStage.open();
  proxy = await TcpProxy.open(stage.server.port);
  await stage.runWorker({
    address: `127.0.0.1:${proxy.port}`,
    activities: succeedingActivities(stage.client),
    stickyQueueScheduleToStartTimeout: '1s',
  });
});

afterAll(async () => {
  await stage?.close();
  await proxy?.close();
});

const job = () => stage.client.workflow.getHandle(workflowId);

const QUESTION = { name: STATUS_QUERY, timeoutMs: 10_000 };

let version = 0;

/** Sends what the watcher sees, again and again: the workflow ignores what it did not wait for yet. */
const isInState = (state: string, seen: DigestBuilder) =>
  eventually(`the job is ${state}`, async () => {
    await job().signal(DIGEST_SIGNAL, { ...seen.build(), resourceVersions: { pods: ++version } });
    const { state: now } = await queryJob<JobStatus>(stage.client, { workflowId }, QUESTION);
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
  // Temporal gives up a query that waits too long, or whose workflow task was not completed several times.
  const queries = Promise.allSettled(Array.from({ length: QUERIES }, () => job().query(STATUS_QUERY)));
  await job().signal(UPDATES.suspend, {});
  const updated = job()
    .executeUpdate(UPDATES.hold, { args: [{ seconds: 5 }] })
    .catch(() => undefined);
  await eventually('the workflow task is offered to any worker', async () => (await timeouts()) > before);
  proxy.heal();
  await Promise.all([updated, queries]);
}

describe('a query that arrives with signals of no workflow task yet', () => {
  it('is answered, and the history replays', async () => {
    await stage.client.workflow.start('trainingJob', {
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
      await job().executeUpdate(UPDATES.resume, { args: [{}] });
    }
    expect(await isReplayed()).toBe(true);
    await stage.replay(workflowId);
  });

  it('is answered if the workflow is terminated before that task, too', async () => {
    cutOff();
    await job().signal(UPDATES.suspend, {});
    await job().terminate();
    proxy.heal();
    await expect(job().query<JobStatus>(STATUS_QUERY)).resolves.toMatchObject({ name: JOB.name });
    await expect(job().query<JobStatus>(STATUS_QUERY)).resolves.toMatchObject({ name: JOB.name });
  });
});
