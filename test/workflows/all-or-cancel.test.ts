import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import { longActivities } from '../../workflows/activity-options.ts';
import { allOrCancel } from '../../workflows/all-or-cancel.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

type Request = Parameters<typeof longActivities.createAttempt>[0];

let flow: WorkflowHost;

const begin = (parts: number) =>
  flow.starts(() =>
    allOrCancel(() =>
      Array.from({ length: parts }, (_, from) => longActivities.createAttempt({ from } as Request)),
    ),
  );
const part = (index: number) => flow.activities.find(({ request }) => (request as Request).from === index)!;
const broken = ApplicationFailure.nonRetryable('no room', 'ClusterRefused');

beforeEach(async () => {
  flow = await startIdleWorkflow();
});

describe('activities that are parts of one', () => {
  it('succeed when all have, and return their results in order', async () => {
    const all = await begin(3);
    await part(2).completes({ resourceVersion: 12 });
    await part(0).completes({ resourceVersion: 10 });
    expect(all.isOver).toBe(false);
    await part(1).completes({ resourceVersion: 11 });
    expect(all.result).toEqual([{ resourceVersion: 10 }, { resourceVersion: 11 }, { resourceVersion: 12 }]);
  });

  it('fail when one does, after the others were cancelled and have ended', async () => {
    const all = await begin(3);
    const [first, second, third] = [part(0), part(1), part(2)];
    await second.fails(broken);
    expect([first.isCancelled, third.isCancelled]).toEqual([true, true]);
    await first.confirmsCancellation();
    expect(all.isOver).toBe(false);
    await third.completes({ resourceVersion: 12 });
    expect(all.error).toMatchObject({ cause: { message: 'no room' } });
  });

  it('fail with the first error', async () => {
    const all = await begin(2);
    const other = part(1);
    await part(0).fails(broken);
    await other.fails(ApplicationFailure.nonRetryable('no room either'));
    expect(all.error).toMatchObject({ cause: { message: 'no room' } });
  });

  it('are all cancelled and awaited when their scope is cancelled', async () => {
    const scope = await flow.runs(() => new CancellationScope());
    const all = await flow.starts(() =>
      scope.run(() =>
        allOrCancel(() => [0, 1].map((from) => longActivities.createAttempt({ from } as Request))),
      ),
    );
    const other = part(1);
    await flow.runs(() => scope.cancel());
    await part(0).confirmsCancellation();
    expect(all.isOver).toBe(false);
    await other.confirmsCancellation();
    expect(all.error).toMatchObject({ cause: { name: 'CancelledFailure' } });
  });
});
