import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aRun } from './machine-run.ts';

/** Four workers, of which two are enough. */
const elastic = () => aPlan().workersWith(4, { restartPolicy: 'OnFailure', enough: 2 });
const seen = (counts: Parameters<ReturnType<typeof aDigest>['workers']>[0], done?: string) =>
  aRun(elastic()).does('createAttempt', 10).receives(aDigest(11).workers(counts, done));

describe('an elastic job', () => {
  it.each([
    ['waits while fewer than enough have a node', { ready: 1, unscheduled: 3 }, 'Pending.Scheduling'],
    ['starts when enough have one', { ready: 1, scheduled: 1, unscheduled: 2 }, 'Starting.Waiting'],
    [
      'runs when enough are ready, whatever the others do',
      { ready: 2, scheduled: 1, unscheduled: 1 },
      'Running',
    ],
    ['runs when all of them do', { ready: 4 }, 'Running'],
  ] as const)('%s', (_, counts, state) => {
    expect(seen(counts).state).toBe(state);
  });

  it('has succeeded when enough pods have, and no other one runs', () => {
    expect(seen({ succeeded: 2, unscheduled: 2 }).status.phase).toBe('Completed');
  });

  it('has not succeeded while another pod still runs', () => {
    expect(seen({ succeeded: 2, ready: 1, unscheduled: 1 }).status.phase).toBe('Running');
  });

  it('removes its unscheduled pods, so that they do not start after its end', () => {
    expect(seen({ succeeded: 2, unscheduled: 2 }).effects).toMatchObject([
      { type: 'cleanUp', scope: 'Running' },
    ]);
    expect(seen({ succeeded: 4 }).effects).toMatchObject([{ type: 'cleanUp', scope: 'None' }]);
  });
});
