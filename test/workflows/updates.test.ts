import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';
import { DIGEST_SIGNAL, HOLD_UPDATE, RESUME_UPDATE, SUSPEND_UPDATE } from '../../contracts/messages.ts';
import { DEFAULT_CONVENTIONS } from '../../contracts/training-job.ts';
import { parseManifest } from '../../frameworks/parse-manifest.ts';
import { bundleWorkflows } from '../../worker/bundle.ts';
import { startTemporal, type TemporalServer } from '../client/temporal-server.ts';
import { eventually } from '../eventually.ts';
import { ANCHOR, aDigest, type DigestBuilder } from '../machines/builders.ts';
import { simulatedJob } from '../scenarios/manifests.ts';

/**
 * A worker that does not know a job, because it has just started, reads its history again from the beginning. It may get
 * what the job heard last in one piece with what it is asked for now, and another one later in two: both must do the same.
 */

const TASK_QUEUE = 'updates-test';

let server: TemporalServer;
let client: Client;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  [server, workflowBundle] = await Promise.all([
    startTemporal(),
    bundleWorkflows({ logger: new DefaultLogger('ERROR') }),
  ]);
  const { address } = server;
  client = new Client({ connection: await Connection.connect({ address }) });
  connection = await NativeConnection.connect({ address });
  // It never knows one.
  const forgetful = { maxCachedWorkflows: 0 };
  worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    workflowBundle,
    activities,
    ...forgetful,
  });
  running = worker.run();
});

afterAll(async () => {
  worker?.shutdown();
  await running;
  await Promise.all([connection?.close(), client?.connection.close()]);
  await server?.stop();
});

/** Of a cluster in which everything succeeds at once. */
const activities: Partial<Activities> = {
  admit: async ({ manifest }) => {
    const parsed = parseManifest(manifest, { namespace: 'default', conventions: DEFAULT_CONVENTIONS });
    if ('faults' in parsed) throw new Error('the manifest has faults');
    return { job: parsed.job, anchorUid: ANCHOR, gang: 'none', queued: false, generation: 2 };
  },
  createAttempt: async () => ({ revision: 10 }),
  suspend: async () => ({ revision: 0 }),
  cleanUp: async () => ({ revision: 0 }),
  recordStatus: async () => undefined,
};

async function startJob(name: string) {
  const workflowId = `job/default/${name}`;
  const args = [simulatedJob({ name, namespace: 'default' })];
  return client.workflow.start('trainingJob', { workflowId, taskQueue: TASK_QUEUE, args });
}

type Handle = Awaited<ReturnType<typeof startJob>>;

const tell = (job: Handle, digest: DigestBuilder) => job.signal(DIGEST_SIGNAL, digest.build());

const eventsOf = async (job: Handle) => (await job.fetchHistory()).events ?? [];

/** The job has dealt with whatever it heard. */
const untilAtRest = (job: Handle) =>
  eventually('it is at rest', async () => {
    const { pendingActivities, pendingWorkflowTask } = (await job.describe()).raw;
    return !pendingActivities?.length && !pendingWorkflowTask;
  });

const replays = async (job: Handle) =>
  Worker.runReplayHistory({ workflowBundle }, await job.fetchHistory(), job.workflowId);

const ready = (revision: number) => aDigest(revision).master({ ready: 1 }).workers({ ready: 2 });
const old = () => aDigest(5).master({ placed: 1 });

describe('a job that is asked for something right after it heard what changes nothing', () => {
  it.each([SUSPEND_UPDATE, HOLD_UPDATE])('%s: does what it will do again', async (update) => {
    const job = await startJob(`asked-for-${update}`);
    await untilAtRest(job);
    await tell(job, ready(11));
    await untilAtRest(job);
    await tell(job, old());
    await untilAtRest(job);
    const before = (await eventsOf(job)).length;
    await job.executeUpdate(update, { args: [{ seconds: 1 }] });
    await untilAtRest(job);
    expect((await eventsOf(job)).length).toBeGreaterThan(before);
    await expect(replays(job)).resolves.toBeUndefined();
    await job.terminate();
  });

  it('after it did what it was asked for before', async () => {
    const job = await startJob('resumed');
    await untilAtRest(job);
    await job.executeUpdate(SUSPEND_UPDATE, { args: [{}] });
    await untilAtRest(job);
    await tell(job, aDigest(20).attempt(0));
    await untilAtRest(job);
    await job.executeUpdate(RESUME_UPDATE, { args: [{}] });
    await untilAtRest(job);
    await expect(replays(job)).resolves.toBeUndefined();
    await job.terminate();
  });
});
