import { describe, expect, it } from '@jest/globals';
import type { OrphanResult, removeOrphanedObjects } from '../../activities/clean-up-orphan.ts';
import { cleanUpOrphan } from '../../workflows/clean-up-orphan.ts';
import { startWorkflow, type WorkflowHost } from './workflow-host.ts';

type OrphanCleanUp = Parameters<typeof removeOrphanedObjects>[1];

const REQUEST = {
  namespace: 'ml',
  anchorName: 'resnet.signalbox',
  anchorUid: 'anchor-1',
  workflowId: 'job/ml/resnet',
};
const LEFT: OrphanResult = { is: 'unfinished', why: '1 pod is still there', isOverdue: false };
const OVERDUE: OrphanResult = { ...LEFT, isOverdue: true };
const REFUSED: OrphanResult = { is: 'unfinished', why: 'no right to delete pods' };

const start = () => startWorkflow(cleanUpOrphan, { args: [REQUEST] });
const request = (flow: WorkflowHost) => flow.activity('cleanUpOrphan').request as OrphanCleanUp;
const answer = (flow: WorkflowHost, given: OrphanResult) => flow.activity('cleanUpOrphan').completes(given);

/** Gives the same answer each time, and returns the pauses in seconds. */
async function pauses(flow: WorkflowHost, given: OrphanResult, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    await answer(flow, given);
    const pause = flow.timers[0]!.at - flow.now;
    found.push(pause / 1000);
    await flow.passes(pause);
  }
  return found;
}

describe('an orphan clean-up', () => {
  it.each(['cleanedUp', 'recorded', 'alive', 'gone', 'foreign'] as const)(
    'ends when the job is %s',
    async (is) => {
      const flow = await start();
      expect(request(flow)).toEqual({ ...REQUEST, again: false, givesUp: false });
      await answer(flow, { is });
      expect(flow.ending).toEqual({ type: 'completed', result: is });
    },
  );

  it('repeats while pods are left, with pauses up to 20 s', async () => {
    const flow = await start();
    expect(await pauses(flow, LEFT, 7)).toEqual([1, 2, 4, 8, 16, 20, 20]);
    expect(request(flow)).toMatchObject({ again: true, givesUp: false });
    expect(flow.details).toBe(LEFT.why);
  });

  it('repeats what is refused, with pauses up to five minutes', async () => {
    const flow = await start();
    const found = await pauses(flow, REFUSED, 11);
    expect(found.slice(-3)).toEqual([256, 300, 300]);
    expect(request(flow).givesUp).toBe(false);
  });

  it('gives up 80 s after all remaining pods should have ended', async () => {
    const flow = await start();
    await pauses(flow, LEFT, 6);
    await pauses(flow, OVERDUE, 3);
    expect(request(flow).givesUp).toBe(false);
    await pauses(flow, OVERDUE, 1);
    expect(request(flow).givesUp).toBe(true);
  });

  it('restarts that time when a pod may still take longer', async () => {
    const flow = await start();
    await pauses(flow, OVERDUE, 6);
    await pauses(flow, LEFT, 1);
    await pauses(flow, OVERDUE, 3);
    expect(request(flow).givesUp).toBe(false);
  });

  it('continues as new with the same request when its history is long', async () => {
    const flow = await start();
    flow.growsTo(4_000);
    await pauses(flow, LEFT, 1);
    expect(flow.ending).toMatchObject({ type: 'continuedAsNew', args: [REQUEST] });
  });
});
