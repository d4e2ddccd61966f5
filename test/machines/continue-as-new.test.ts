import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from './builders.ts';
import { aLifeWithEvidence, START } from './life.ts';
import { type ALife, allPlaced, allReady, oneFailed, threePods, withLadder } from './three-pods.ts';

type Events = readonly ((life: ALife) => ALife)[];

const failed: Events = [
  (life) => life.does('createAttempt', 10),
  (life) => life.hears(allReady(10)),
  (life) => life.hears(oneFailed(11, { node: 'node-1' })),
  (life) => life.captures(),
];
const restored: Events = [(life) => life.does('restorePods', 20), (life) => life.hears(allReady(20))];
const again = (revision: number, attempt: number): Events => [
  (life) => life.does('drain'),
  (life) => life.does('createAttempt', revision),
  (life) => life.hears(allReady(revision, attempt)),
];
const ended: Events = [(life) => life.stop(), (life) => life.does('cleanUp')];
const elastic = (workers: number) =>
  threePods()
    .policy({})
    .workersWith(workers, { name: 'Extra', scales: { min: 0 } });

const lives: readonly [says: string, plan: () => PlanBuilder, events: Events, state: string][] = [
  [
    'a gang that restarts twice, waits for its back-off, and is stopped',
    () => withLadder({ scope: 'gang', withinMs: 60_000 }).deadline(3600),
    [
      ...failed,
      ...again(30, 2),
      (life) => life.hears(oneFailed(31, {}, 2)),
      (life) => life.captures(),
      (life) => life.does('drain', { left: [{ pod: 'resnet-worker-1', node: 'node-2' }] }),
      (life) => life.does('drain'),
      (life) => life.reaches('backOff'),
      (life) => life.does('createAttempt', 40),
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
      (life) => life.hears(oneFailed(21)),
      (life) => life.captures(),
      (life) => life.retryNow(),
      (life) => life.does('restorePods', 30),
      (life) => life.hears(aDigest(30).master({ succeeded: 1 })),
      (life) => life.does('cleanUp'),
    ],
    'Completed',
  ],
  [
    'a ladder that is used up, by time and by count',
    () => withLadder({ scope: 'pod', withinMs: 60_000 }, { scope: 'gangElsewhere', times: 1 }),
    [
      ...failed,
      (life) => life.does('restorePods', 20),
      (life) => life.hears(allPlaced(20)),
      (life) => life.reaches('recovery'),
      (life) => life.captures(),
      (life) => life.reaches('backOff'),
      ...again(30, 2),
      (life) => life.hears(oneFailed(31, {}, 2)),
      (life) => life.captures(),
      (life) => life.does('cleanUp'),
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
      (life) => life.hears(allReady(10).progressRevision(1).progress('7', 1)),
      (life) => life.reaches('stall'),
      (life) => life.reaches('stall'),
      (life) => life.captures(),
      ...again(30, 2),
      (life) => life.reaches('stall'),
      (life) => life.captures(),
      (life) => life.does('cleanUp'),
    ],
    'Failed',
  ],
  [
    'a node that is lost, and a pod that is forced away',
    () => threePods().policy({ nodes: { lostAfterMs: 60_000, forceDeleteAfterMs: 60_000, avoidForMs: 1e6 } }),
    [
      ...failed.slice(0, 2),
      (life) => life.hears(allReady(11).endangered({ index: 1, uid: 'u1', since: START })),
      (life) => life.reaches('nodeLost'),
      (life) => life.captures(),
      (life) => life.reaches('forceDelete'),
      ...restored,
      ...ended,
    ],
    'Stopped',
  ],
  [
    'a job that does not start, is held, kept longer, and released',
    () => threePods().policy({ failures: { startUpAfterMs: 60_000 }, holdOnFailureMs: 60_000 }),
    [
      (life) => life.does('createAttempt', 10),
      (life) =>
        life.hears(allPlaced(10).waiting({ reason: 'ErrImagePull', pod: 'resnet-worker-0', pods: 1 })),
      (life) => life.reaches('startUp'),
      (life) => life.captures(),
      (life) => life.hold(600),
      (life) => life.release(),
      ...again(30, 2),
      ...ended,
    ],
    'Stopped',
  ],
  [
    'a job that is scaled while it fails, and later',
    () => elastic(1),
    [
      (life) => life.does('createAttempt', 10),
      (life) => life.amend(elastic(3)),
      (life) => life.hears(allReady(10).role('extra', { ready: 1 })),
      (life) => life.does('scale', 20),
      (life) => life.hears(allReady(20).role('extra', { ready: 3 })),
      (life) => life.hears(oneFailed(21).role('extra', { ready: 3 })),
      (life) => life.amend(elastic(2)),
      (life) => life.captures(),
      (life) => life.does('restorePods', 30),
      (life) => life.hears(allReady(30).role('extra', { ready: 3 })),
      (life) => life.does('scale', 40),
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
      (life) => life.extendDeadline(600),
      (life) => life.stop('stopped by ana', { checkpoint: true }),
      (life) => life.does('requestCheckpoint'),
      (life) => life.hears(allReady(12).acknowledged()),
      (life) => life.does('cleanUp'),
    ],
    'Stopped',
  ],
];

describe.each(lives)('%s', (_, plan, events, state) => {
  it('comes to its end', () => {
    const life = aLifeWithEvidence(plan());
    for (const happens of events) happens(life);
    expect(life.state).toBe(state);
  });

  it.each(events.map((_, index) => index))('has the same future in a new run after event %i', (place) => {
    const stayed = aLifeWithEvidence(plan());
    const moved = aLifeWithEvidence(plan());
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
