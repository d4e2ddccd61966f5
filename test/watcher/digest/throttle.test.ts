import { describe, expect, it } from 'vitest';
import {
  backOff,
  digestDueAt,
  hasChanged,
  nextSendAt,
  nextStreak,
  type Sent,
} from '../../../watcher/digest/throttle.ts';

const AT = 100_000;

const sent = (fields: Partial<Sent> = {}): Sent => ({
  content: { facts: 'one', details: 'none' },
  podChanges: 3,
  resourceVersion: 7,
  hadChanged: true,
  at: AT,
  ...fields,
});

describe('a digest is due', () => {
  const due = (fields: Partial<Parameters<typeof digestDueAt>[0]> = {}) =>
    digestDueAt({
      ...{
        at: 0,
        changedAt: AT,
        lastChangedAt: AT,
        urgency: 'now',
        failures: 0,
        failuresAlone: 0,
        streak: 0,
      },
      ...fields,
    });

  it.each([
    ['now', AT],
    ['soon', AT + 300],
    ['later', AT + 5_000],
    ['atLeisure', AT + 15_000],
  ] as const)('by its urgency: %s', (urgency, at) => {
    expect(due({ urgency })).toBe(at);
  });

  it('when nothing has changed for five seconds, or after ten, if it is sent later', () => {
    const later = (lastChangedAt: number) => due({ urgency: 'later', lastChangedAt });
    expect(later(AT + 2_000)).toBe(AT + 7_000);
    expect(later(AT + 9_000)).toBe(AT + 10_000);
  });

  it('no sooner than a second after the last one, or than 200 ms if it is urgent', () => {
    expect(due({ at: AT, urgency: 'soon' })).toBe(AT + 1_000);
    expect(due({ at: AT, urgency: 'now' })).toBe(AT + 200);
  });

  it('ever later during a streak: up to five seconds, or one if it is urgent', () => {
    const wait = (streak: number, urgency: 'now' | 'soon') => due({ at: AT, urgency, streak }) - AT;
    expect([0, 1, 2, 50].map((streak) => Math.round(wait(streak, 'soon')))).toEqual([
      1_000, 1_300, 1_690, 5_000,
    ]);
    expect([0, 1, 2, 50].map((streak) => Math.round(wait(streak, 'now')))).toEqual([200, 260, 338, 1_000]);
  });

  it('after a pause if the last one failed, whatever its urgency', () => {
    const at = due({ at: AT, failures: 3 });
    expect(at).toBeGreaterThanOrEqual(AT + 1_000);
    expect(at).toBeLessThan(AT + 3_000);
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
    expect(nextStreak({ at: Number.NEGATIVE_INFINITY, streak: 0 }, AT)).toBe(0);
  });
});

describe('a digest is worth a signal', () => {
  const phase = 'Starting';
  const worth = (
    last: Sent | undefined,
    next: Partial<Sent>,
    how: { everyMs?: number; phase?: string } = {},
  ) => nextSendAt(last, sent(next), { phase, ...how });
  const NOW = Number.NEGATIVE_INFINITY;

  it('at once if it is the first, or if facts or pods have changed', () => {
    expect(worth(undefined, {})).toBe(NOW);
    expect(worth(sent(), { content: { facts: 'two', details: 'none' } })).toBe(NOW);
    expect(worth(sent(), { podChanges: 4 })).toBe(NOW);
  });

  it('never if it says the same', () => {
    expect(worth(sent(), {})).toBeUndefined();
  });

  it('once more when it has settled, and rarely after that', () => {
    expect(worth(sent(), { resourceVersion: 8 })).toBe(AT + 3_000);
    expect(worth(sent({ hadChanged: false }), { resourceVersion: 8 })).toBe(AT + 60_000);
  });

  it('not for a newer resource version alone while the job runs', () => {
    expect(worth(sent(), { resourceVersion: 8 }, { phase: 'Running' })).toBeUndefined();
  });

  it('for other details, also while the job runs', () => {
    const content = { facts: 'one', details: 'some' };
    expect(worth(sent(), { content }, { phase: 'Running' })).toBe(AT + 3_000);
  });

  describe('for progress', () => {
    const told = (progress?: string) => ({ content: { facts: 'one', details: 'none', progress } });

    it('at once for the first', () => {
      expect(worth(sent(), told('1'))).toBe(NOW);
    });

    it('as often as the job asks, every ten seconds by default', () => {
      expect(worth(sent(told('1')), told('2'))).toBe(AT + 10_000);
      expect(worth(sent(told('1')), told('2'), { everyMs: 20_000 })).toBe(AT + 20_000);
    });

    it('with what else is due sooner', () => {
      expect(worth(sent(told('1')), { ...told('2'), resourceVersion: 8 })).toBe(AT + 3_000);
    });
  });
});

it('content has changed if facts or pods have, or if progress appears', () => {
  const progressing = sent({ content: { facts: 'one', details: 'none', progress: '1' } });
  expect(hasChanged(undefined, sent())).toBe(true);
  expect(hasChanged(sent(), sent({ content: { facts: 'one', details: 'some' } }))).toBe(false);
  expect(hasChanged(sent(), progressing)).toBe(true);
  expect(hasChanged(progressing, sent())).toBe(false);
});

it('the pause between tries doubles up to ten seconds', () => {
  expect([1, 2, 3, 6, 20].map((failures) => backOff(failures, undefined, 0.5))).toEqual([
    500, 1000, 2000, 10000, 10000,
  ]);
});
