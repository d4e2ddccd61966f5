import { describe, expect, it } from '@jest/globals';
import { parseAmounts } from '../../../contracts/pod-requests.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { config, decide, GPU, granted, HOUR, MINUTE, NOW, runs, sharing, waits } from './lanes.ts';

const MAIN = config();

describe('the order of a lane', () => {
  it('is priority, then age', () => {
    const { grants, standings } = decide(
      MAIN,
      waits('old', 8),
      waits('urgent', 8, { priority: 5 }),
      waits('older', 8, { since: NOW - 2 * HOUR }),
    );
    expect(grants).toEqual([{ uid: 'urgent' }]);
    expect(standings.get('older')).toMatchObject({ code: 'WaitingForRoom', position: 1, of: 2, ahead: [] });
    expect(standings.get('old')).toMatchObject({ position: 2, of: 2, ahead: [{ name: 'job/ml/older' }] });
  });

  it('starts as many as fit', () => {
    expect(granted(decide(MAIN, waits('a', 3), waits('b', 3), waits('c', 2), waits('d', 1)))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('passes over what can never fit, and says so', () => {
    const { grants, standings } = decide(MAIN, waits('huge', 9), waits('small', 1));
    expect(grants).toEqual([{ uid: 'small' }]);
    expect(standings.get('huge')).toMatchObject({
      code: 'NeverFits',
      sentence: 'it needs 9 nvidia.com/gpu, and pool main is 8',
    });
  });
});

describe('backfill', () => {
  const busy = runs('busy', 6, 30, { durationMs: HOUR });

  it('lets a job pass that ends before the first one can start', () => {
    const { grants, standings } = decide(
      MAIN,
      busy,
      waits('big', 8),
      waits('long', 1, { durationMs: 31 * MINUTE }),
      waits('open', 1),
      waits('short', 2, { durationMs: 30 * MINUTE }),
    );
    expect(grants).toEqual([{ uid: 'short', backfilled: { past: 'big', because: 'endsBefore' } }]);
    expect(standings.get('big')).toMatchObject({ code: 'WaitingForRoom', earliestStart: NOW + 30 * MINUTE });
    expect(standings.get('long')?.code).toBe('WaitingForTurn');
    expect(standings.get('long')?.sentence).toBe(
      'job/ml/big is the next of lane main; for this one 1 nvidia.com/gpu are needed: 0 of 8 are free in pool main',
    );
  });

  it('lets a job pass that takes what the first one leaves', () => {
    const { grants } = decide(MAIN, busy, waits('big', 7), waits('a', 1), waits('b', 1));
    expect(grants).toEqual([{ uid: 'a', backfilled: { past: 'big', because: 'spare' } }]);
  });

  it('starts nothing that could delay the first one where ends are not known', () => {
    const { grants } = decide(
      MAIN,
      runs('open', 6, 30),
      waits('big', 7),
      waits('a', 1, { durationMs: MINUTE }),
    );
    expect(grants).toEqual([]);
  });

  it('starts anything that fits if the configuration says so, until the first one has waited too long', () => {
    const any = config({ backfill: 'any' });
    const big = waits('big', 7);
    expect(granted(decide(any, runs('open', 6, 30), big, waits('a', 1)))).toEqual(['a']);
    const starved = { ...big, since: NOW - 7 * HOUR };
    expect(granted(decide(any, runs('open', 6, 30), starved, waits('a', 1)))).toEqual([]);
  });
});

describe('lanes of one pool', () => {
  const lanes = sharing(8, { a: {}, b: {} });

  it('are served by what they have in relation to their weights', () => {
    const waiting = ['a', 'b'].flatMap((lane) =>
      Array.from({ length: 8 }, (_, index) => waits(`${lane}${index}`, 1, { lane })),
    );
    const { lanes: views } = decide(sharing(8, { a: { weight: 3 }, b: {} }), ...waiting);
    expect(views.map(({ lane, dominantShare }) => [lane, dominantShare])).toEqual([
      ['a', 0.75],
      ['b', 0.25],
    ]);
  });

  it('borrow what others do not want', () => {
    const { lanes: views, grants } = decide(lanes, waits('x', 8, { lane: 'a' }));
    expect(grants).toEqual([{ uid: 'x' }]);
    expect(views[0]).toMatchObject({ lane: 'a', running: 1 });
    expect(views[0]?.borrowed.get('nvidia.com/gpu')?.nanos).toBe(4_000_000_000n);
  });

  it('may have their share although a job of another lane waits for more than its own', () => {
    const { grants } = decide(
      lanes,
      runs('b0', 3, 30, { lane: 'b' }),
      waits('big', 8, { lane: 'a' }),
      waits('b1', 1, { lane: 'b' }),
      waits('b2', 1, { lane: 'b' }),
    );
    expect(granted({ grants } as never)).toEqual(['b1']);
  });

  it('wait behind a job that has waited too long', () => {
    const { grants, standings } = decide(
      lanes,
      runs('b0', 3, 30, { lane: 'b' }),
      waits('big', 8, { lane: 'a', since: NOW - 7 * HOUR }),
      waits('b1', 1, { lane: 'b' }),
    );
    expect(grants).toEqual([]);
    expect(standings.get('b1')?.sentence).toBe(
      'it is the next of lane b, and job/ml/big of lane a has waited so long that nothing may delay it',
    );
  });
});

describe('reclaim', () => {
  const lanes = sharing(8, { a: { reclaim: 'borrowed' }, b: { reclaim: 'borrowed' } });
  const borrowed = [
    runs('b0', 2, 90, { lane: 'b' }),
    runs('b1', 2, 30, { lane: 'b' }),
    runs('b2', 2, 60, { lane: 'b' }),
    runs('b3', 2, 120, { lane: 'b' }),
  ];

  it('stops those that lose the least work, and no more than are needed', () => {
    const { yields, standings } = decide(lanes, ...borrowed, waits('x', 3, { lane: 'a' }));
    expect(yields.map(({ uid, to, reason, lostMs }) => [uid, to, reason, lostMs])).toEqual([
      ['b1', 'x', 'Reclaimed', 30 * MINUTE],
      ['b2', 'x', 'Reclaimed', 60 * MINUTE],
    ]);
    expect(standings.get('x')).toMatchObject({
      code: 'CapacityBeingFreed',
      sentence: 'job/ml/b1, job/ml/b2 give back room for it',
    });
  });

  it('stops nobody else while they go', () => {
    const going = borrowed.map((one) => (['b1', 'b2'].includes(one.uid) ? { ...one, yieldsTo: 'x' } : one));
    expect(decide(lanes, ...going, waits('x', 3, { lane: 'a' })).yields).toEqual([]);
  });

  it('keeps what is freed for whom it was freed', () => {
    const gone = borrowed.filter(({ uid }) => uid !== 'b1' && uid !== 'b2');
    const { grants } = decide(
      lanes,
      ...gone,
      waits('x', 3, { lane: 'a' }),
      waits('first', 4, { lane: 'a', priority: 9 }),
      waits('b1', 2, { lane: 'b', yieldsTo: 'x', requeuedAt: NOW - MINUTE }),
      waits('b2', 2, { lane: 'b', yieldsTo: 'x', requeuedAt: NOW - MINUTE }),
    );
    expect(grants).toEqual([{ uid: 'x', after: ['b1', 'b2'] }]);
  });

  it('keeps nothing for a job that has had it and gave it back itself', () => {
    const { grants } = decide(
      lanes,
      waits('x', 8, { lane: 'b', yieldsTo: 'y', requeuedAt: NOW - MINUTE }),
      waits('before', 1, { lane: 'b', yieldsTo: 'x', requeuedAt: NOW - HOUR }),
      waits('y', 4, { lane: 'a' }),
    );
    expect(grants[0]).toEqual({ uid: 'y', after: ['x'] });
    expect(granted({ grants } as never)).not.toContain('x');
  });

  it('stops nobody for what a lane would borrow itself', () => {
    expect(decide(lanes, ...borrowed, waits('x', 5, { lane: 'a' })).yields).toEqual([]);
  });

  it('is a choice of the lane that takes', () => {
    expect(decide(sharing(8, { a: {}, b: {} }), ...borrowed, waits('x', 3, { lane: 'a' })).yields).toEqual(
      [],
    );
  });
});

describe('preemption', () => {
  it('stops jobs of lower priority in the same lane', () => {
    const lower = config({ lanes: { main: { capacity: { 'nvidia.com/gpu': 8 }, preempt: 'lower' } } });
    const { yields } = decide(
      lower,
      runs('low', 4, 10),
      runs('same', 4, 5, { priority: 3 }),
      waits('high', 4, { priority: 3 }),
    );
    expect(yields).toMatchObject([{ uid: 'low', to: 'high', reason: 'Preempted', lostMs: 10 * MINUTE }]);
    expect(
      decide(MAIN, runs('low', 4, 10), runs('b', 4, 5), waits('high', 4, { priority: 3 })).yields,
    ).toEqual([]);
  });
});

/** States of random days after which a second decision had more to say. */
describe('a decision is whole', () => {
  it('has the turn of a lane follow from its first job that is not over a cap', () => {
    const lanes = sharing(4, {
      a: {},
      c: { reclaim: 'borrowed', caps: { perUser: { 'nvidia.com/gpu': 2 } } },
    });
    const decision = decide(
      lanes,
      runs('c0', 1, 5, { lane: 'c', user: 'bob' }),
      waits('big', 3, { lane: 'a' }),
      waits('capped', 2, { lane: 'c', user: 'bob' }),
      waits('c1', 1, { lane: 'c', user: 'ada' }),
    );
    expect(granted(decision)).toEqual(['c1']);
  });

  it('starts nothing that another job would stop at once', () => {
    const lanes = sharing(
      3,
      { b: { weight: 3, reclaim: 'borrowed' }, c: { priority: 1 } },
      { starveAfter: '30m' },
    );
    const decision = decide(
      lanes,
      waits('starved', 2, { lane: 'c', since: NOW - 2 * HOUR }),
      waits('urgent', 1, { lane: 'c', since: NOW - 29 * MINUTE, priority: 5 }),
      waits('entitled', 1, { lane: 'b', since: NOW - 29 * MINUTE }),
    );
    expect(granted(decision).sort()).toEqual(['entitled', 'urgent']);
    expect(decision.yields).toEqual([]);
  });

  it('lets a job that passes one of higher priority run on', () => {
    const lanes = sharing(2, { a: { preempt: 'lower' }, b: {} });
    const decision = decide(
      lanes,
      runs('a0', 1, 1, { lane: 'a', durationMs: 6 * MINUTE }),
      waits('b0', 2, { lane: 'b' }),
      waits('short', 1, { lane: 'a', since: NOW, durationMs: 5 * MINUTE }),
      waits('high', 2, { lane: 'a', since: NOW, priority: 5, durationMs: 5 * MINUTE }),
    );
    expect(decision.grants).toEqual([{ uid: 'short', backfilled: { past: 'high', because: 'endsBefore' } }]);
    expect(decision.yields).toEqual([]);
  });

  it('lets nobody take the part of a cap that a job needs which has waited too long', () => {
    const lanes = sharing(8, { a: { caps: { perUser: { 'nvidia.com/gpu': 8 } } } }, { starveAfter: '30m' });
    const decision = decide(
      lanes,
      runs('r6', 6, 13, { lane: 'a', durationMs: 14 * MINUTE }),
      runs('r1', 1, 30, { lane: 'a', user: 'bob' }),
      waits('first', 4, { lane: 'a', user: 'ada', priority: 5, since: NOW - 12 * MINUTE }),
      waits('starved', 8, { lane: 'a', user: 'ada', since: NOW - 30 * MINUTE }),
      waits('small', 1, { lane: 'a', user: 'ada', since: NOW }),
    );
    expect(granted(decision)).toEqual([]);
    expect(decision.standings.get('small')).toMatchObject({
      code: 'CapReached',
      sentence: 'job/ml/starved has waited so long for the cap of user ada in lane a that nothing passes it',
    });
  });

  it('gives another lane its turn once jobs have passed the first of one', () => {
    const lanes = config({
      pools: { gpus: { capacity: { 'nvidia.com/gpu': 4, cpu: 6 } } },
      lanes: { a: { pool: 'gpus' }, c: { pool: 'gpus' } },
    });
    const declared = { durationMs: 5 * MINUTE };
    const decision = decide(
      lanes,
      waits('c0', 4, { lane: 'c' }),
      waits('c1', 1, { lane: 'c', demand: parseAmounts({ [GPU]: 1, cpu: 4 }), ...declared }),
      waits('a0', 2, { lane: 'a', ...declared }),
      waits('a1', 1, { lane: 'a' }),
    );
    expect(granted(decision)).toEqual(['a0', 'c1', 'a1']);
  });
});

describe('limits', () => {
  it.each(['constructor', 'toString'])('cap by label %s only jobs that have it', (key) => {
    const lanes = sharing(8, {
      a: { caps: { perLabel: Object.fromEntries([[key, { 'nvidia.com/gpu': 1 }]]) } },
    });
    const labels = Object.fromEntries([[key, 'x']]);
    const decision = decide(
      lanes,
      waits('a0', 2, { lane: 'a' }),
      waits('a1', 2, { lane: 'a', labels }),
      waits('a2', 1, { lane: 'a', labels }),
    );
    expect(granted(decision)).toEqual(['a0', 'a2']);
    expect(decision.standings.get('a1')?.code).toBe('NeverFits');
  });

  it('cap a lane, a user and a value of a label, and hold up nobody else', () => {
    const lanes = sharing(8, {
      a: { limit: { 'nvidia.com/gpu': 4 }, caps: { perUser: { 'nvidia.com/gpu': 2 } } },
      b: { caps: { perLabel: { team: { 'nvidia.com/gpu': 1 } } } },
    });
    const { grants, standings } = decide(
      lanes,
      waits('a0', 2, { lane: 'a', user: 'ada' }),
      waits('a1', 1, { lane: 'a', user: 'ada' }),
      waits('a2', 2, { lane: 'a', user: 'bob' }),
      waits('a3', 2, { lane: 'a', user: 'cy' }),
      waits('b0', 1, { lane: 'b', labels: { team: 'vision' } }),
      waits('b1', 1, { lane: 'b', labels: { team: 'vision' } }),
      waits('b2', 1, { lane: 'b' }),
    );
    expect(granted({ grants } as never).sort()).toEqual(['a0', 'a2', 'b0', 'b2']);
    expect(standings.get('a1')).toMatchObject({
      code: 'CapReached',
      sentence: '1 nvidia.com/gpu are needed: user ada has 2 of 2 in lane a',
    });
    expect(standings.get('a3')).toMatchObject({
      code: 'LimitReached',
      sentence:
        'it is the next of lane a, and 2 nvidia.com/gpu are needed: 4 of the limit of 4 of lane a are in use',
    });
    expect(standings.get('b1')?.code).toBe('CapReached');
  });

  it.each([
    [{ paused: 'upgrade' }, 'paused', 'lane main is paused: upgrade'],
    [{ drain: 'new nodes' }, 'drains', 'lane main drains: new nodes'],
  ])('a lane that is closed starts nothing: %j', (more, state, sentence) => {
    const lanes = config({ lanes: { main: { capacity: { 'nvidia.com/gpu': 8 }, ...more } } });
    const { grants, standings, lanes: views } = decide(lanes, runs('r', 1, 1), waits('a', 1));
    expect(grants).toEqual([]);
    expect(standings.get('a')).toMatchObject({ code: 'LanePaused', sentence });
    expect(views[0]).toMatchObject({ state, running: 1, waiting: 1 });
  });
});

describe('a lane with a fault', () => {
  const sound = sharing(8, { bad: { weight: 3 }, good: { reclaim: 'borrowed' } });
  const faulty = { ...sound, lanes: { ...sound.lanes, bad: { ...sound.lanes.bad!, fault: 'lanes.bad.x' } } };

  it('starts nothing, whatever it needs; what runs goes on and counts', () => {
    const { grants, yields, standings, lanes } = decide(
      faulty,
      runs('holds', 7, 30, { lane: 'bad' }),
      waits('huge', 99, { lane: 'bad' }),
      waits('other', 1, { lane: 'good' }),
      waits('more', 1, { lane: 'good' }),
    );
    expect([grants, yields]).toEqual([[{ uid: 'other' }], []]);
    expect(standings.get('huge')).toMatchObject({
      code: 'LaneFaulty',
      sentence: 'lane bad has a fault, which an administrator can mend: lanes.bad.x',
    });
    expect(standings.get('more')?.code).toBe('WaitingForRoom');
    expect(lanes[0]).toMatchObject({ lane: 'bad', state: 'faulty', why: 'lanes.bad.x', running: 1 });
  });
});

describe('what never fits', () => {
  const pool = (count: number) => new Map([['main', parseAmounts({ [GPU]: count })]]);
  const codes = (free: number, whole: number, needs: number) => {
    const entries = [waits('big', needs), waits('small', 1)];
    const state = { at: NOW, lanes: MAIN, capacity: pool(free), whole: pool(whole), entries };
    const { standings, grants } = decideLanes(state);
    return { code: standings.get('big')?.code, grants: grants.map(({ uid }) => uid) };
  };

  it.each([
    ['others use most of it', 4, 16, 16],
    ['no node of it is ready', 0, 16, 16],
  ])('is not what waits while %s: it keeps its place', (_, free, whole, needs) => {
    expect(codes(free, whole, needs)).toEqual({ code: 'WaitingForRoom', grants: [] });
  });

  it('is more than the pool has when it is empty and whole: it holds up nobody', () => {
    expect(codes(4, 16, 17)).toEqual({ code: 'NeverFits', grants: ['small'] });
  });
});

describe('the example of docs/queue.md', () => {
  const lanes = sharing(8, { research: {}, production: {} });
  const sweep = runs('sweep', 6, 60, { lane: 'research', durationMs: 2 * HOUR });
  const evaluation = waits('eval', 4, { lane: 'research' });
  const train = waits('train', 4, { lane: 'production', priority: 10 });
  const tune = { lane: 'production', durationMs: 30 * MINUTE };

  it('lets the job start that ends before the reservation begins', () => {
    const { grants, standings } = decide(lanes, sweep, evaluation, train, waits('tune', 2, tune));
    expect(grants).toEqual([{ uid: 'tune', backfilled: { past: 'train', because: 'endsBefore' } }]);
    expect(standings.get('train')).toMatchObject({ position: 1, earliestStart: NOW + HOUR });
    expect(standings.get('eval')?.code).toBe('WaitingForRoom');
  });

  it('starts the first job of each lane, once the running one has ended', () => {
    expect(granted(decide(lanes, evaluation, train))).toEqual(['train', 'eval']);
  });

  it('takes borrowed GPUs back if the lane may', () => {
    const reclaiming = sharing(8, { research: {}, production: { reclaim: 'borrowed' } });
    const { yields } = decide(reclaiming, sweep, evaluation, train);
    expect(yields).toMatchObject([{ uid: 'sweep', to: 'train' }]);
  });
});
