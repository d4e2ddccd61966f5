import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from './builders.ts';
import { aRunWithEvidence, START } from './machine-run.ts';
import { allPlaced, allReady, oneFailed, type RunningMachine, threePods, withLadder } from './three-pods.ts';

type Events = readonly ((run: RunningMachine) => RunningMachine)[];

const failed: Events = [
  (run) => run.does('createAttempt', 10),
  (run) => run.receives(allReady(10)),
  (run) => run.receives(oneFailed(11, { node: 'node-1' })),
  (run) => run.captures(),
];
const restored: Events = [(run) => run.does('restorePods', 20), (run) => run.receives(allReady(20))];
const again = (revision: number, attempt: number): Events => [
  (run) => run.does('drain'),
  (run) => run.does('createAttempt', revision),
  (run) => run.receives(allReady(revision, attempt)),
];
const ended: Events = [(run) => run.stop(), (run) => run.does('cleanUp')];
const elastic = (workers: number) =>
  threePods()
    .policy({})
    .workersWith(workers, { name: 'Extra', scales: { min: 0 } });

const cases: readonly [says: string, plan: () => PlanBuilder, events: Events, state: string][] = [
  [
    'a gang that restarts twice, waits for its back-off, and is stopped',
    () => withLadder({ scope: 'gang', withinMs: 60_000 }).deadline(3600),
    [
      ...failed,
      ...again(30, 2),
      (run) => run.receives(oneFailed(31, {}, 2)),
      (run) => run.captures(),
      (run) => run.does('drain', { stuckPods: [{ pod: 'resnet-worker-1', node: 'node-2' }] }),
      (run) => run.does('drain'),
      (run) => run.reaches('backOff'),
      (run) => run.does('createAttempt', 40),
      ...ended,
    ],
    'Stopped',
  ],
  [
    'a role that restarts, and retries at once',
    () => withLadder({ scope: 'role' }),
    [
      ...failed,
      ...restored,
      (run) => run.receives(oneFailed(21)),
      (run) => run.captures(),
      (run) => run.retryNow(),
      (run) => run.does('restorePods', 30),
      (run) => run.receives(aDigest(30).master({ succeeded: 1 })),
      (run) => run.does('cleanUp'),
    ],
    'Completed',
  ],
  [
    'a ladder that is used up, by time and by count',
    () => withLadder({ scope: 'pod', withinMs: 60_000 }, { scope: 'gangElsewhere', times: 1 }),
    [
      ...failed,
      (run) => run.does('restorePods', 20),
      (run) => run.receives(allPlaced(20)),
      (run) => run.reaches('recovery'),
      (run) => run.captures(),
      (run) => run.reaches('backOff'),
      ...again(30, 2),
      (run) => run.receives(oneFailed(31, {}, 2)),
      (run) => run.captures(),
      (run) => run.does('cleanUp'),
    ],
    'Failed',
  ],
  [
    'a job that stalls, and uses up that budget',
    () =>
      threePods().policy({
        progress: { log: 'step', stalledAfterMs: 60_000 },
        failures: { classes: { stalled: { budget: 1 } } },
      }),
    [
      ...failed.slice(0, 2),
      (run) => run.receives(allReady(10).lastReportAt(1).progress('7', 1)),
      (run) => run.reaches('stall'),
      (run) => run.reaches('stall'),
      (run) => run.captures(),
      ...again(30, 2),
      (run) => run.reaches('stall'),
      (run) => run.captures(),
      (run) => run.does('cleanUp'),
    ],
    'Failed',
  ],
  [
    'a node that is lost, and a pod that is forced away',
    () => threePods().policy({ nodes: { lostAfterMs: 60_000, forceDeleteAfterMs: 60_000, avoidForMs: 1e6 } }),
    [
      ...failed.slice(0, 2),
      (run) => run.receives(allReady(11).endangered({ index: 1, uid: 'u1', since: START })),
      (run) => run.reaches('nodeLost'),
      (run) => run.captures(),
      (run) => run.reaches('forceDelete'),
      ...restored,
      ...ended,
    ],
    'Stopped',
  ],
  [
    'a job that does not start, is held, kept longer, and released',
    () => threePods().policy({ failures: { startUpAfterMs: 60_000 }, holdOnFailureMs: 60_000 }),
    [
      (run) => run.does('createAttempt', 10),
      (run) =>
        run.receives(allPlaced(10).waiting({ reason: 'ErrImagePull', pod: 'resnet-worker-0', pods: 1 })),
      (run) => run.reaches('startUp'),
      (run) => run.captures(),
      (run) => run.hold(600),
      (run) => run.release(),
      ...again(30, 2),
      ...ended,
    ],
    'Stopped',
  ],
  [
    'a job that is scaled while it fails, and later',
    () => elastic(1),
    [
      (run) => run.does('createAttempt', 10),
      (run) => run.amend(elastic(3)),
      (run) => run.receives(allReady(10).role('extra', { ready: 1 })),
      (run) => run.does('scale', 20),
      (run) => run.receives(allReady(20).role('extra', { ready: 3 })),
      (run) => run.receives(oneFailed(21).role('extra', { ready: 3 })),
      (run) => run.amend(elastic(2)),
      (run) => run.captures(),
      (run) => run.does('restorePods', 30),
      (run) => run.receives(allReady(30).role('extra', { ready: 3 })),
      (run) => run.does('scale', 40),
      ...ended,
    ],
    'Stopped',
  ],
  [
    'a stop that waits for a checkpoint, with a deadline that was extended',
    () =>
      threePods()
        .deadline(600)
        .policy({ checkpoint: { file: '/checkpoint', withinMs: 60_000 } }),
    [
      ...failed.slice(0, 2),
      (run) => run.extendDeadline(600),
      (run) => run.stop('stopped by ana', { checkpoint: true }),
      (run) => run.does('requestCheckpoint'),
      (run) => run.receives(allReady(12).acknowledged()),
      (run) => run.does('cleanUp'),
    ],
    'Stopped',
  ],
];

describe.each(cases)('%s', (_, plan, events, state) => {
  it('reaches its end', () => {
    const run = aRunWithEvidence(plan());
    for (const happens of events) happens(run);
    expect(run.state).toBe(state);
  });

  it.each(events.map((_, index) => index))('has the same future in a new run after event %i', (place) => {
    const stayed = aRunWithEvidence(plan());
    const moved = aRunWithEvidence(plan());
    for (const [index, happens] of events.entries()) {
      happens(stayed);
      happens(moved);
      expect(moved.effects).toEqual(stayed.effects);
      if (index === place) moved.continueAsNew();
      expect(moved.status).toEqual(stayed.status);
      expect(moved.context).toEqual(stayed.context);
    }
  });
});
