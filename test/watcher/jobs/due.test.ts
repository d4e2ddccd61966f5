import { describe, expect, it } from '@jest/globals';
import {
  type Delivery,
  type DigestState,
  moreUrgent,
  newDelivery,
  type Sent,
} from '../../../watcher/jobs/delivery.ts';
import { digestDueAt, hasChanged, nextStreak } from '../../../watcher/jobs/due.ts';

type DigestTiming = Parameters<typeof digestDueAt>[0];

const AT = 100_000;
const LONG_AGO = Number.NEGATIVE_INFINITY;

const sent = (fields: Partial<Sent> = {}): Sent => ({
  content: { facts: 'one', details: 'none' },
  podChanges: 3,
  resourceVersion: 7,
  hadChanged: true,
  at: AT,
  ...fields,
});

interface Choice extends Partial<Delivery> {
  readonly heldUntil?: number;
  readonly everyMs?: number;
  readonly phase?: string;
  readonly isEnding?: boolean;
}

/** A job whose last digest was sent long ago, and that has changed since. */
const aJob = ({
  heldUntil,
  everyMs,
  phase = 'Starting',
  isEnding,
  ...delivery
}: Choice = {}): DigestTiming => ({
  heldUntil,
  anchor: { phase, watch: { rules: { everyMs } }, isEnding },
  outline: { reached: 0 },
  delivery: { ...newDelivery(), changedAt: AT, lastChangedAt: AT, urgency: 'now', ...delivery },
});

describe('a change', () => {
  const due = (fields: Choice = {}) => digestDueAt(aJob(fields));

  it.each([
    ['now', AT],
    ['soon', AT + 300],
    ['later', AT + 5_000],
    ['lazy', AT + 15_000],
  ] as const)('is due by its urgency: %s', (urgency, at) => {
    expect(due({ urgency })).toBe(at);
  });

  it('is due when nothing has changed for five seconds, and after ten at the latest, if its urgency is `later`', () => {
    const later = (lastChangedAt: number) => due({ urgency: 'later', lastChangedAt });
    expect(later(AT + 2_000)).toBe(AT + 7_000);
    expect(later(AT + 9_000)).toBe(AT + 10_000);
  });

  it('is due when nothing has changed for five seconds, if its pods are being cleaned up', () => {
    expect(due({ urgency: 'later', lastChangedAt: AT + 30_000, isEnding: true })).toBe(AT + 35_000);
  });

  it('is due a second after the last digest at the earliest, or 200 ms if it is urgent', () => {
    expect(due({ at: AT, urgency: 'soon' })).toBe(AT + 1_000);
    expect(due({ at: AT, urgency: 'now' })).toBe(AT + 200);
  });

  it('is due later and later during a streak: up to five seconds, or one if it is urgent', () => {
    const wait = (streak: number, urgency: 'now' | 'soon') => due({ at: AT, urgency, streak }) - AT;
    expect([0, 1, 2, 50].map((streak) => Math.round(wait(streak, 'soon')))).toEqual([
      1_000, 1_300, 1_690, 5_000,
    ]);
    expect([0, 1, 2, 50].map((streak) => Math.round(wait(streak, 'now')))).toEqual([200, 260, 338, 1_000]);
  });

  it('is due when the last reports of an ended pod are read, at the latest when the hold has expired', () => {
    expect(due({ heldUntil: AT + 5_000 })).toBe(AT + 5_000);
    expect(due({ heldUntil: AT - 1 })).toBe(AT);
  });

  it('is due after its share of the spread, if only the watcher is new', () => {
    expect(due({ urgency: 'takenOver', spreadMs: 40_000 })).toBe(AT + 40_000);
    expect(due({ urgency: 'later', spreadMs: 40_000 })).toBe(AT + 5_000);
  });

  it('is due by the most urgent of several', () => {
    expect([moreUrgent('later', 'now'), moreUrgent('soon', 'report')]).toEqual(['now', 'soon']);
  });
});

describe('a report of progress', () => {
  const due = (progress: string | undefined, everyMs?: number) =>
    digestDueAt(
      aJob({
        urgency: 'report',
        everyMs,
        changedAt: AT + 2_000,
        sent: sent({ content: { facts: 'one', details: 'none', progress } }),
      }),
    );

  it('is due soon if it is the first', () => {
    expect(due(undefined)).toBe(AT + 2_300);
  });

  it('is due at the configured interval since the last digest, every ten seconds by default', () => {
    expect([due('1'), due('1', 20_000)]).toEqual([AT + 10_000, AT + 20_000]);
  });
});

describe('a digest that could not be sent', () => {
  const pause = (fields: Choice) => digestDueAt(aJob({ at: AT, chance: 0.5, ...fields })) - AT;

  it('is due after a pause that doubles up to ten seconds, whatever its urgency', () => {
    expect([1, 2, 3, 6, 20].map((failures) => pause({ failures }))).toEqual([
      500, 1_000, 2_000, 10_000, 10_000,
    ]);
  });

  it('is due at random up to half of that sooner or later, so that jobs spread out', () => {
    expect([0, 1].map((chance) => pause({ failures: 3, chance }))).toEqual([1_000, 3_000]);
  });

  it('is due up to five minutes later if Temporal answers others', () => {
    expect(pause({ failures: 20, failuresAlone: 20 })).toBe(300_000);
    expect(pause({ failures: 20, failuresAlone: 20, isUnconfirmed: true })).toBe(10_000);
  });
});

describe('a streak', () => {
  it('grows with each digest that follows soon, and ends with a rest', () => {
    expect(nextStreak({ at: AT, streak: 0 }, AT + 1_999)).toBe(1);
    expect(nextStreak({ at: AT, streak: 0 }, AT + 2_000)).toBe(0);
    expect(nextStreak({ at: AT, streak: 1 }, AT + 2_599)).toBe(2);
    expect(nextStreak({ at: AT, streak: 30 }, AT + 9_999)).toBe(31);
    expect(nextStreak({ at: AT, streak: 30 }, AT + 10_000)).toBe(0);
  });

  it('has not begun before the first digest', () => {
    expect(nextStreak({ at: LONG_AGO, streak: 0 }, AT)).toBe(0);
  });
});

describe('a built digest', () => {
  const due = (last: Sent | undefined, next: Partial<DigestState>, how: Choice = {}) =>
    digestDueAt(aJob({ changedAt: undefined, sent: last, ...how }), sent(next));

  it('is due at once if it is the first, or if facts or pods have changed', () => {
    expect(due(undefined, {})).toBe(LONG_AGO);
    expect(due(sent(), { content: { facts: 'two', details: 'none' } })).toBe(LONG_AGO);
    expect(due(sent(), { podChanges: 4 })).toBe(LONG_AGO);
  });

  it('is never due if it is unchanged, however urgent the change was', () => {
    expect(due(sent(), {}, { changedAt: AT })).toBeUndefined();
  });

  it('is due with the change at the earliest', () => {
    expect(due(sent(), { podChanges: 4 }, { changedAt: AT, urgency: 'soon' })).toBe(AT + 300);
    expect(due(sent(), { podChanges: 4 }, { heldUntil: AT + 5_000 })).toBe(AT + 5_000);
  });

  it('is due once more when it has settled, and rarely after that', () => {
    expect(due(sent(), { resourceVersion: 8 })).toBe(AT + 3_000);
    expect(due(sent({ hadChanged: false }), { resourceVersion: 8 })).toBe(AT + 60_000);
  });

  it('is not due for a newer resource version alone while the job runs', () => {
    expect(due(sent(), { resourceVersion: 8 }, { phase: 'Running' })).toBeUndefined();
  });

  it('is due for other details, also while the job runs', () => {
    const content = { facts: 'one', details: 'some' };
    expect(due(sent(), { content }, { phase: 'Running' })).toBe(AT + 3_000);
  });

  describe('with progress', () => {
    const withProgress = (progress?: string) => ({ content: { facts: 'one', details: 'none', progress } });

    it('is due at once for the first report', () => {
      expect(due(sent(), withProgress('1'))).toBe(LONG_AGO);
    });

    it('is due at the configured interval, every ten seconds by default', () => {
      expect(due(sent(withProgress('1')), withProgress('2'))).toBe(AT + 10_000);
      expect(due(sent(withProgress('1')), withProgress('2'), { everyMs: 20_000 })).toBe(AT + 20_000);
    });

    it('is due together with other content that is due sooner', () => {
      expect(due(sent(withProgress('1')), { ...withProgress('2'), resourceVersion: 8 })).toBe(AT + 3_000);
    });
  });
});

it('content has changed if a lane says something else, not if it has nothing more to say', () => {
  const [granted, waits, without] = ['granted', 'waits', undefined].map((lane) =>
    sent({ content: { facts: 'one', details: 'none', lane } }),
  );
  expect(hasChanged(waits, granted!)).toBe(true);
  expect(hasChanged(without, waits!)).toBe(true);
  expect(hasChanged(granted, without!)).toBe(false);
});

it('content has changed if facts or pods have, or if progress appears', () => {
  const progressing = sent({ content: { facts: 'one', details: 'none', progress: '1' } });
  expect(hasChanged(undefined, sent())).toBe(true);
  expect(hasChanged(sent(), sent({ content: { facts: 'one', details: 'some' } }))).toBe(false);
  expect(hasChanged(sent(), progressing)).toBe(true);
  expect(hasChanged(progressing, sent())).toBe(false);
});
