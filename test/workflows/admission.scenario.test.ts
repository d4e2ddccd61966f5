import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../../activities/activities.ts';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobFilter } from '../../client/use-cases/find/job-filter.ts';
import { DIGEST_SIGNAL, STATUS_QUERY, UPDATES } from '../../contracts/messages.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { aDigest, type DigestBuilder } from '../machines/builders.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';
import { ServerStage, startedManifest, succeedingActivities, TASK_QUEUE } from './server-stage.ts';

/** The engine's workflow on a real Temporal server, with activities of a cluster that answers as each job's name says. */

let stage: ServerStage;
let client: SignalboxClient;

beforeAll(async () => {
  stage = await ServerStage.open();
  client = await SignalboxClient.connect({
    temporal: { address: stage.server.address, namespace: 'default' },
  });
});

afterAll(async () => {
  await client?.close();
  await stage?.close();
});

/** While `work` is done there is a worker. */
async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = await stage.createWorker({ activities: activities() });
  return worker.runUntil(work);
}

const refused = (type: string, message: string, details: unknown[] = []) =>
  ApplicationFailure.create({ type, message, nonRetryable: true, details });

const FAULTS = [{ path: 'spec', expected: 'something', got: 'nothing' }];

const activities = (): Partial<Activities> => ({
  ...succeedingActivities(stage.client),
  admit: async () => {
    const manifest = await startedManifest(stage.client);
    const { name } = manifest.metadata;
    if (name === 'faulty') throw refused('InvalidManifest', 'faults', [FAULTS]);
    if (name === 'taken') throw refused('NameTaken', 'the name belongs to another job');
    if (name === 'nowhere') throw refused('ClusterRefused', 'namespaces "ml" not found');
    return { ...anAdmission(manifest), clusterId: undefined };
  },
  amend: async ({ replicas }) => {
    if (replicas?.Worker === 0) throw refused('InvalidManifest', 'faults', [FAULTS]);
    return aRevision(aManifest({ worker: { replicas: replicas?.Worker ?? 2 } }));
  },
  drain: async () => ({ resourceVersion: 0 }),
});

/** As people without signalbox start one: no search attribute is set. */
const start = (name: string, workflowId = `run-${name}`) =>
  stage.client.workflow.start('trainingJob', {
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [simulatedJob({ name, namespace: 'ml', worker: { replicas: 2 } })],
  });

type Handle = Awaited<ReturnType<typeof start>>;

const listed = async (filter: JobFilter) => {
  const names: string[] = [];
  for await (const { name } of client.list(filter)) names.push(name);
  return names.sort();
};

const queried = async (query: string) => {
  const ids: string[] = [];
  for await (const { workflowId } of stage.client.workflow.list({ query })) ids.push(workflowId);
  return ids.sort();
};

const until = <T>(what: string, look: () => Promise<T>, wanted: T) =>
  eventually(what, async () => {
    const found = await look();
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`found ${JSON.stringify(found)}`);
    return found;
  });

const REASONS = { faulty: 'InvalidManifest', nowhere: 'ClusterRefused', taken: 'NameTaken' } as const;

describe('jobs that fail at admission', () => {
  const names = Object.keys(REASONS) as (keyof typeof REASONS)[];

  it('are found by their labels, and by how they ended', async () => {
    await withWorker(async () => {
      const jobs = await Promise.all(names.map((name) => start(name)));
      for (const job of jobs) await expect(job.result()).rejects.toThrow();
      await until('the list has them', () => listed({ phase: 'Failed', namespace: 'ml' }), [...names]);
      const ids = names.map((name) => `run-${name}`);
      await until('Temporal has them', () => queried('JobPhase = "Failed" AND JobNamespace = "ml"'), ids);
      for (const name of names) {
        const query = `JobReason = "${REASONS[name]}" AND JobKind = "PyTorchJob"`;
        await until('Temporal has its reason', () => queried(query), [`run-${name}`]);
      }
    });
  });

  it('show when and why without a worker', async () => {
    for (const name of names) {
      const status = await client.job({ workflowId: `run-${name}` }).status();
      expect(status).toMatchObject({
        ...{ kind: 'PyTorchJob', name, namespace: 'ml', phase: 'Failed', state: 'Failed' },
        cause: { reason: REASONS[name] },
        completionTime: expect.any(String),
      });
      expect(status.timeline.map(({ state }) => state)).toEqual(['Pending.Admitting', 'Failed']);
    }
  });

  it('are found by name although their workflow has another id', async () => {
    const job = await client.find({ name: 'taken', namespace: 'ml' });
    expect(job.workflowId).toBe('run-taken');
  });
});

describe('a job that is stopped before a worker started it', () => {
  it('is Stopped for every reader', async () => {
    const job = await start('unseen');
    const asked = job.startUpdate(UPDATES.stop, {
      args: [{ by: 'ana' }],
      waitForStage: 'ACCEPTED',
      updateId: 'stop',
    });
    asked.catch(() => undefined);
    await withWorker(async () => {
      expect(await job.result()).toMatchObject({ phase: 'Stopped', cause: { reason: 'StopRequested' } });
      await until('it is listed', () => listed({ phase: 'Stopped', namespace: 'ml' }), ['unseen']);
      const query = 'JobPhase = "Stopped" AND JobReason = "StopRequested" AND JobName = "unseen"';
      await until('Temporal has it', () => queried(query), ['run-unseen']);
    });
  });
});

describe('a job by its name', () => {
  it('is not chosen among several with that name', async () => {
    await withWorker(async () => {
      const [one, two] = await Promise.all([start('twin', 'twin-1'), start('twin', 'twin-2')]);
      await until('both are known', () => listed({ name: 'twin', namespace: 'ml' }), ['twin', 'twin']);
      await expect(client.find({ name: 'twin', namespace: 'ml' })).rejects.toMatchObject({
        name: 'JobNotFoundError',
        remedy: expect.stringMatching(/--workflow-id: twin-[12], twin-[12]\.$/),
      });
      await one.terminate();
      await until('one is left', () => listed({ name: 'twin', phase: 'Pending' }), ['twin']);
      expect((await client.find({ name: 'twin', namespace: 'ml' })).workflowId).toBe('twin-2');
      await two.terminate();
    });
  });

  it('is not found where there is none', async () => {
    await expect(client.find({ name: 'nobody' })).rejects.toMatchObject({
      name: 'JobNotFoundError',
      workflowId: 'job/default/nobody',
    });
  });
});

describe('a job of a kind that cannot be scaled while it runs', () => {
  const sendDigest = (job: Handle, digest: DigestBuilder) => job.signal(DIGEST_SIGNAL, digest.build());
  const status = (job: Handle) => job.query<JobStatus>(STATUS_QUERY);
  const untilState = (job: Handle, state: string) =>
    until(`it is ${state}`, async () => (await status(job)).state, state);
  const scale = (job: Handle, replicas: number) =>
    job.executeUpdate(UPDATES.scale, { args: [{ role: 'worker', replicas, by: 'ana' }] });

  it('is scaled while it waits for nodes, and starts again', async () => {
    await withWorker(async () => {
      const job = await start('pending');
      await untilState(job, 'Pending.Scheduling');
      await sendDigest(job, aDigest(11).master({ unscheduled: 1 }).workers({ unscheduled: 2 }));
      await scale(job, 1);
      await until('it has begun anew', async () => (await status(job)).attempt, 2);
      await untilState(job, 'Pending.Scheduling');
      await sendDigest(job, aDigest(12).attempt(2).master({ ready: 1 }).workers({ ready: 1 }));
      await untilState(job, 'Running');
      expect((await status(job)).restarts).toBe(0);
      await expect(scale(job, 2)).rejects.toThrow();
      await job.terminate();
    });
  });

  it('is scaled while it is suspended, and has its new size when it is resumed', async () => {
    await withWorker(async () => {
      const job = await start('suspended');
      await untilState(job, 'Pending.Scheduling');
      await sendDigest(job, aDigest(11).master({ ready: 1 }).workers({ ready: 2 }));
      await untilState(job, 'Running');
      await job.executeUpdate(UPDATES.suspend, { args: [{}] });
      await untilState(job, 'Suspended.Resting');
      await scale(job, 3);
      await job.executeUpdate('resume', { args: [{}] });
      await untilState(job, 'Pending.Scheduling');
      await sendDigest(job, aDigest(12).attempt(2).master({ ready: 1 }).workers({ ready: 3 }));
      await untilState(job, 'Running');
      await job.terminate();
    });
  });
});
