import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Workers of one task queue share the jobs: whoever needs more adds replicas. */

const JOBS = 40;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ localNode: false });
  await Promise.all([...workers(2), stage.engine('watcher')]);
});
afterAll(() => stage.close());

const workers = (count: number) => Array.from({ length: count }, () => stage.engine('worker'));

/** Runs jobs at once. Returns how many of their steps each worker carried out, the fewest first. */
async function stepsByWorker(prefix: string): Promise<number[]> {
  const names = Array.from({ length: JOBS }, (_, index) => `${prefix}-${index}`);
  const jobs = await Promise.all(
    names.map((name) => {
      const manifest = simulatedJob({ name, namespace: stage.namespace, worker: false });
      return stage.client.submit(manifest);
    }),
  );
  await Promise.all(jobs.map((job) => untilPhase(job, 'Running')));
  const steps = new Map<string, number>();
  for (const { workflowId } of jobs) {
    const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
    for (const { workflowTaskStartedEventAttributes, activityTaskStartedEventAttributes } of events ?? []) {
      const { identity } = workflowTaskStartedEventAttributes ?? activityTaskStartedEventAttributes ?? {};
      if (identity) steps.set(identity, (steps.get(identity) ?? 0) + 1);
    }
  }
  return [...steps.values()].sort((a, b) => a - b);
}

/** The part of all steps that the least busy of `count` workers carries out. */
async function leastShare(prefix: string, count: number): Promise<number> {
  const steps = await stepsByWorker(prefix);
  if (steps.length < count) return 0;
  return steps[0]! / steps.reduce((sum, one) => sum + one, 0);
}

it.each([2, 4])(
  '%d workers share the work',
  async (count) => {
    if (count > 2) await Promise.all(workers(count - 2));
    // A worker that has just started is slow while the others are warm. It has its share once it has carried out some jobs.
    let least = 0;
    for (let round = 0; round < 6 && least <= 1 / (4 * count); round++) {
      least = await leastShare(`of-${count}-${round}`, count);
    }
    expect(least).toBeGreaterThan(1 / (4 * count));
  },
  180_000,
);
