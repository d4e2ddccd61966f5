import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DIGEST_SIGNAL, UPDATES } from '../../contracts/messages.ts';
import { eventually } from '../eventually.ts';
import { aDigest, type DigestBuilder } from '../machines/builders.ts';
import { Chance } from '../scenarios/chance.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { ServerStage, succeedingActivities, TASK_QUEUE } from './server-stage.ts';

/**
 * A worker that does not know a job, because it has just started, reads its history again from the beginning. It may get
 * what the job heard last in one piece with what it is asked for now, and another one later in two: both must do the same.
 */

let stage: ServerStage;

beforeAll(async () => {
  stage = await ServerStage.open();
  // A worker that never knows a job.
  await stage.runWorker({ activities: succeedingActivities(stage.client), maxCachedWorkflows: 0 });
});

afterAll(() => stage?.close());

async function startJob(name: string) {
  const workflowId = `job/default/${name}`;
  const args = [simulatedJob({ name, namespace: 'default' })];
  return stage.client.workflow.start('trainingJob', { workflowId, taskQueue: TASK_QUEUE, args });
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

const ready = (resourceVersion: number) =>
  aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 2 });
const old = () => aDigest(5).master({ scheduled: 1 });

/** What each update needs; a request with other fields is refused. */
const ARGUMENTS = {
  [UPDATES.suspend]: {},
  [UPDATES.resume]: {},
  [UPDATES.hold]: { seconds: 1 },
  [UPDATES.amendPolicy]: { policy: {} },
} as const;
type Update = keyof typeof ARGUMENTS;

describe('a job that gets a request right after an event that changes nothing', () => {
  it.each([UPDATES.suspend, UPDATES.hold, UPDATES.amendPolicy] as const)(
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
      await stage.replay(job.workflowId);
      await job.terminate();
    },
  );

  it('has a history that replays after an earlier request', async () => {
    const job = await startJob('resumed');
    await untilAtRest(job);
    await job.executeUpdate(UPDATES.suspend, { args: [{}] });
    await untilAtRest(job);
    await sendDigest(job, aDigest(20).attempt(0));
    await untilAtRest(job);
    await job.executeUpdate(UPDATES.resume, { args: [{}] });
    await untilAtRest(job);
    await stage.replay(job.workflowId);
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
        suspend: () => ask(UPDATES.suspend),
        resume: () => ask(UPDATES.resume),
        hold: () => ask(UPDATES.hold),
        amend: () => ask(UPDATES.amendPolicy),
        rest: () => untilAtRest(job),
      };
      for (let step = 0; step < 30; step++) {
        const move = chance.weighed({ old: 3, none: 2, suspend: 2, resume: 2, hold: 1, amend: 1, rest: 4 });
        await moves[move](step);
      }
      await untilAtRest(job);
      await stage.replay(job.workflowId);
      await job.terminate();
    },
  );
});
