import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';
import {
  AMEND_POLICY_UPDATE,
  DIGEST_SIGNAL,
  HOLD_UPDATE,
  RESUME_UPDATE,
  SUSPEND_UPDATE,
} from '../../contracts/messages.ts';
import { workflowStart } from '../../temporal/workflow-start.ts';
import { findBundle } from '../../worker/bundle.ts';
import { startTemporal, type TemporalServer } from '../client/temporal-server.ts';
import { eventually } from '../eventually.ts';
import { aDigest, type DigestBuilder } from '../machines/builders.ts';
import { Chance } from '../scenarios/chance.ts';
import { type Manifest, simulatedJob } from '../scenarios/manifests.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';

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
let workflowBundle: WorkflowBundleOption;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  [server, workflowBundle] = await Promise.all([
    startTemporal(),
    findBundle(undefined, new DefaultLogger('ERROR')),
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
  admit: async () => {
    const {
      input: [manifest],
    } = await workflowStart(client, Context.current().info.workflowExecution!);
    return { ...anAdmission(manifest as Manifest), clusterId: undefined };
  },
  amend: async () => aRevision(aManifest()),
  createAttempt: async () => ({ resourceVersion: 10 }),

  // Nobody tells of the new pods.
  restorePods: async () => ({ resourceVersion: 1_000 }),
  suspend: async () => ({ resourceVersion: 0 }),
  cleanUp: async () => ({ resourceVersion: 0 }),
  recordStatus: async () => undefined,
};

async function startJob(name: string) {
  const workflowId = `job/default/${name}`;
  const args = [simulatedJob({ name, namespace: 'default' })];
  return client.workflow.start('trainingJob', { workflowId, taskQueue: TASK_QUEUE, args });
}

type Handle = Awaited<ReturnType<typeof startJob>>;

const sendDigest = (job: Handle, digest: DigestBuilder) => job.signal(DIGEST_SIGNAL, digest.build());

const eventsOf = async (job: Handle) => (await job.fetchHistory()).events ?? [];

/** The job has dealt with whatever it heard. */
const untilAtRest = (job: Handle) =>
  eventually('it is at rest', async () => {
    const { pendingActivities, pendingWorkflowTask } = (await job.describe()).raw;
    return !pendingActivities?.length && !pendingWorkflowTask;
  });

const replays = async (job: Handle) =>
  Worker.runReplayHistory({ workflowBundle }, await job.fetchHistory(), job.workflowId);

const ready = (resourceVersion: number) =>
  aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 2 });
const old = () => aDigest(5).master({ scheduled: 1 });

/** What each update needs; a request with other fields is refused. */
const ARGUMENTS = {
  [SUSPEND_UPDATE]: {},
  [RESUME_UPDATE]: {},
  [HOLD_UPDATE]: { seconds: 1 },
  [AMEND_POLICY_UPDATE]: { policy: {} },
} as const;
type Update = keyof typeof ARGUMENTS;

describe('a job that gets a request right after an event that changes nothing', () => {
  it.each([SUSPEND_UPDATE, HOLD_UPDATE, AMEND_POLICY_UPDATE] as const)(
    'takes %s into account, and its history replays',
    async (update) => {
      const job = await startJob(`asked-for-${update.toLowerCase()}`);
      await untilAtRest(job);
      await sendDigest(job, ready(11));
      await untilAtRest(job);
      await sendDigest(job, old());
      await untilAtRest(job);
      const before = (await eventsOf(job)).length;
      await job.executeUpdate(update, { args: [ARGUMENTS[update]] });
      await untilAtRest(job);
      expect((await eventsOf(job)).length).toBeGreaterThan(before);
      await expect(replays(job)).resolves.toBeUndefined();
      await job.terminate();
    },
  );

  it('has a history that replays after an earlier request', async () => {
    const job = await startJob('resumed');
    await untilAtRest(job);
    await job.executeUpdate(SUSPEND_UPDATE, { args: [{}] });
    await untilAtRest(job);
    await sendDigest(job, aDigest(20).attempt(0));
    await untilAtRest(job);
    await job.executeUpdate(RESUME_UPDATE, { args: [{}] });
    await untilAtRest(job);
    await expect(replays(job)).resolves.toBeUndefined();
    await job.terminate();
  });

  it.each([1, 2])(
    'has a history that replays after many requests and events in any order (seed %i)',
    async (seed) => {
      const chance = new Chance(seed);
      const job = await startJob(`asked-for-many-${seed}`);
      await untilAtRest(job);
      const refused = () => undefined;
      const ask = (update: Update) => job.executeUpdate(update, { args: [ARGUMENTS[update]] }).catch(refused);
      const moves = {
        old: () => sendDigest(job, old()),
        none: (step: number) => sendDigest(job, aDigest(20 + step).attempt(0)),
        suspend: () => ask(SUSPEND_UPDATE),
        resume: () => ask(RESUME_UPDATE),
        hold: () => ask(HOLD_UPDATE),
        amend: () => ask(AMEND_POLICY_UPDATE),
        rest: () => untilAtRest(job),
      };
      for (let step = 0; step < 30; step++) {
        const move = chance.weighed({ old: 3, none: 2, suspend: 2, resume: 2, hold: 1, amend: 1, rest: 4 });
        await moves[move](step);
      }
      await untilAtRest(job);
      await expect(replays(job)).resolves.toBeUndefined();
      await job.terminate();
    },
  );
});
