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

it.each([2, 4])(
  '%d workers share the work',
  async (count) => {
    if (count > 2) await Promise.all(workers(count - 2));
    const steps = await stepsByWorker(`of-${count}`);
    const all = steps.reduce((sum, one) => sum + one, 0);
    expect(steps).toHaveLength(count);
    // Each has at least a third of its fair part.
    expect(steps[0]! / all).toBeGreaterThan(1 / (3 * count));
  },
  180_000,
);
