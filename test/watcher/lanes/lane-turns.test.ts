import { describe, expect, it } from '@jest/globals';
import type { LanePlace, LaneRequest } from '../../../contracts/lane-request.ts';
import { parseLanes } from '../../../contracts/schemas/lanes.ts';
import { TURN_IS_OVER_MS, TURN_MS } from '../../../queue/decide-turns.ts';
import type { JobInLane } from '../../../queue/lanes/entry-of-job.ts';
import { LaneTurns } from '../../../watcher/lanes/lane-turns.ts';
import { metrics } from '../../../watcher/metrics.ts';

const START = 1_767_225_600_000;
const read = parseLanes({ lanes: { all: { capacity: { pods: 1_000 }, preempt: 'lower' } } });
if ('faults' in read) throw new Error(JSON.stringify(read.faults));
const { lanes } = read;

interface JobOptions extends Partial<LanePlace>, Partial<Pick<LaneRequest, 'priority'>> {
  readonly pods?: number;
}

const jobOf = (name: string, { pods = 3, priority = 0, ...place }: JobOptions = {}): JobInLane => ({
  ...{ uid: name, namespace: 'ml', job: name, hasStarted: place.takenAt !== undefined },
  request: { lane: 'all', priority, demand: { pods: String(pods) }, labels: {} },
  place: { attempt: 1, since: START, ...place },
});

interface Circumstances {
  readonly mayGive: boolean;
  readonly paused: string;
  /** Who holds a place without pods. */
  readonly unused: readonly string[];
}

/** What each job is told, decision after decision. */
function aWatcher({ pods = 4 } = {}) {
  const turns = new LaneTurns();
  return (
    jobs: readonly JobInLane[],
    afterMs = 0,
    { mayGive = true, unused, ...closed }: Partial<Circumstances> = {},
  ) =>
    turns.decide({
      ...{ at: START + afterMs, jobs, mayGive, unused: new Set(unused) },
      lanes: { ...lanes, lanes: { all: { ...lanes.lanes.all!, ...closed } } },
      capacity: new Map([
        ['all', new Map([['pods', { nanos: BigInt(pods) * 1_000_000_000n, family: 'decimal' as const }]])],
      ]),
    });
}

describe('what a lane grants', () => {
  it('is told with a time limit, and to nobody else until that is over', () => {
    const decide = aWatcher();
    const jobs = [jobOf('a'), jobOf('b', { since: START + 1 })];
    const told = decide(jobs);
    expect(told.get('a')?.lane).toMatchObject({ attempt: 1, reason: 'Granted', until: START + TURN_MS });
    expect(told.get('b')?.lane?.until).toBeUndefined();
    expect(decide(jobs, 5_000)).toEqual(told);
    expect(decide(jobs, TURN_IS_OVER_MS)).toEqual(told);
    const later = decide(jobs, TURN_IS_OVER_MS + 1).get('a')?.lane;
    expect(later).toMatchObject({ reason: 'Granted', until: START + TURN_IS_OVER_MS + 1 + TURN_MS });
  });

  it('is told again before it is over, for two minutes while workers work', () => {
    const untilsOf = (jobsAt: (at: number) => readonly JobInLane[]) => {
      const decide = aWatcher();
      return Array.from({ length: 15 }, (_, index) => {
        const at = index * 10_000;
        return ((decide(jobsAt(at), at).get('a')?.lane?.until ?? 0) - TURN_MS - START) / 10_000;
      });
    };
    const busy = (at: number) => [jobOf('a'), jobOf('b', { pods: 1, takenAt: START + at })];
    expect(untilsOf(busy)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12]);
    // It is granted anew when nobody can take it any more.
    expect(untilsOf(() => [jobOf('a')])).toEqual([0, 1, 2, 3, 4, 5, 6, 6, 6, 9, 9, 9, 12, 12, 12]);
  });

  it('is not told again once its lane is paused', () => {
    const decide = aWatcher();
    const told = decide([jobOf('a')]);
    expect(decide([jobOf('a')], 10_000, { paused: 'new drivers' })).toEqual(told);
  });

  it('is told to so many at once as take it in time; the others have their turn as it is taken', () => {
    const decide = aWatcher({ pods: 100 });
    const jobs = Array.from({ length: 90 }, (_, index) =>
      jobOf(`job-${index}`, { pods: 1, since: START + index }),
    );
    const granted = [...decide(jobs)].filter(([, { lane }]) => lane?.reason === 'Granted');
    expect(granted.map(([uid]) => uid)).toEqual(jobs.slice(0, 64).map(({ uid }) => uid));
    expect(decide(jobs, 1_000).size).toBe(64);
    const some = jobs.map((job, index) =>
      index < 10 ? jobOf(job.uid, { pods: 1, takenAt: START + 2_000 }) : job,
    );
    expect([...decide(some, 2_000).keys()]).toEqual(jobs.slice(10, 74).map(({ uid }) => uid));
  });

  it('counts from when it shows on the anchor', () => {
    const decide = aWatcher();
    decide([jobOf('a'), jobOf('b')]);
    const told = decide([jobOf('a', { takenAt: START + 5 }), jobOf('b')], 60_000);
    expect(told.has('a')).toBe(false);
    expect(told.get('b')?.lane).toMatchObject({ reason: 'WaitingForRoom' });
    expect(told.get('b')?.lane?.message).toContain('position 1 of 1 in lane all');
  });

  it('is nothing while an earlier leader may have granted something', () => {
    const told = aWatcher()([jobOf('a')], 0, { mayGive: false });
    expect(told.get('a')?.lane).toMatchObject({ reason: 'NotDecided' });
  });

  it('is told anew only if the words change', () => {
    const decide = aWatcher();
    const jobs = [jobOf('a', { takenAt: START }), jobOf('b')];
    const first = decide(jobs).get('b')?.lane;
    expect(decide(jobs, 5_000).get('b')?.lane).toEqual(first);
  });
});

describe('a job that has to give back what it has', () => {
  const low = jobOf('low', { takenAt: START - 1_000 });
  const high = jobOf('high', { priority: 1 });

  it('is told for whom, until it has', () => {
    const decide = aWatcher();
    const eviction = decide([low, high]).get('low')?.eviction;
    expect(eviction).toMatchObject({ reason: 'Preempted' });
    expect(eviction?.message).toMatch(/job\/ml\/high: .*; it loses 1s of work$/);
    expect(decide([low, high], 5_000).get('low')).toEqual({ eviction });
    const gone = jobOf('low', { attempt: 2, requeuedAt: START + 6_000 });
    const told = decide([gone, high], 6_000);
    expect(told.get('low')?.eviction).toBeUndefined();
    expect(told.get('high')?.lane).toMatchObject({
      reason: 'Granted',
      message: 'its lane lets it start, with what others gave back (job/ml/low: it loses 1s of work)',
    });
  });

  it('has noted for whom, so that a new leader keeps that for it', () => {
    const decide = aWatcher();
    const other = jobOf('other', { pods: 1, takenAt: START - 60_000 });
    const big = jobOf('big', { pods: 3, priority: 1 });
    const { to } = decide([low, other, big]).get('low')!.eviction!;
    expect(to).toBe('big');
    // Meanwhile somebody comes who would be first.
    const late = jobOf('late', { pods: 3, priority: 1, since: START - 5_000 });
    const gone = jobOf('low', { attempt: 2, requeuedAt: START + 6_000, yieldsTo: to });
    const [kept, forgotten] = [gone, { ...gone, place: { ...gone.place, yieldsTo: undefined } }].map((one) =>
      aWatcher()([one, other, big, late], 60_000),
    );
    expect([kept?.get('big')?.lane?.reason, kept?.get('late')?.lane?.reason]).toEqual([
      'Granted',
      'WaitingForRoom',
    ]);
    expect(forgotten?.get('late')?.lane?.reason).toBe('Granted');
  });

  it('is told nothing by a leader that may not decide yet', () => {
    expect(aWatcher()([low, high], 0, { mayGive: false }).has('low')).toBe(false);
  });
});

describe('a place that is not used', () => {
  const idle = jobOf('idle', { takenAt: START });
  const next = jobOf('next');
  const unused = ['idle'];

  it('is taken back for those that wait, until it is given back', () => {
    const decide = aWatcher();
    const eviction = decide([idle, next], 1, { unused }).get('idle')?.eviction;
    expect(eviction).toMatchObject({ reason: 'Evicted', message: expect.stringMatching(/no pods for more/) });
    // A pod that comes late changes nothing: the job is stopping.
    expect(decide([idle, next], 2).get('idle')).toEqual({ eviction });
    const back = jobOf('idle', { attempt: 2, since: START + 3 });
    const told = decide([back, next], 3);
    expect(told.get('idle')?.eviction).toBeUndefined();
    expect([told.get('next')?.lane?.reason, told.get('idle')?.lane?.reason]).toEqual([
      'Granted',
      'WaitingForRoom',
    ]);
  });

  it.each<[string, readonly JobInLane[], Partial<Circumstances>]>([
    ['nobody waits', [idle], {}],
    ['who waits can never start', [idle, jobOf('huge', { pods: 99 })], {}],
    ['the lane is paused', [idle, next], { paused: 'new drivers' }],
    ['an earlier leader may have given something', [idle, next], { mayGive: false }],
  ])('is kept while %s', (_, jobs, circumstances) => {
    expect(aWatcher()(jobs, 1, { unused, ...circumstances }).get('idle')).toBeUndefined();
  });
});

describe('turns that were over without use', () => {
  const counted = async (turn: 'grant' | 'place') => {
    const { values } = await metrics.turnsUnused.get();
    return values.find(({ labels }) => labels.turn === turn)?.value ?? 0;
  };

  it('are counted once each: a grant that nobody took, and a place without pods', async () => {
    const [grants, places] = [await counted('grant'), await counted('place')];
    const decide = aWatcher();
    decide([jobOf('a'), jobOf('b')]);
    decide([jobOf('a'), jobOf('b')], TURN_IS_OVER_MS);
    expect(await counted('grant')).toBe(grants);
    decide([jobOf('a'), jobOf('b')], TURN_IS_OVER_MS + 1);
    expect(await counted('grant')).toBe(grants + 1);
    const taken = [jobOf('a', { takenAt: START }), jobOf('b')];
    for (const afterMs of [60_000, 61_000]) decide(taken, afterMs, { unused: ['a'] });
    expect([await counted('grant'), await counted('place')]).toEqual([grants + 1, places + 1]);
  });

  it('are none where the job has taken it, or is gone', async () => {
    const before = await counted('grant');
    const decide = aWatcher();
    decide([jobOf('a')]);
    decide([jobOf('a', { takenAt: START + 1 })], TURN_IS_OVER_MS + 1);
    const other = aWatcher();
    other([jobOf('a')]);
    other([], TURN_IS_OVER_MS + 1);
    expect(await counted('grant')).toBe(before);
  });
});
