import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NodeNotice } from '../../../contracts/node-notice.ts';
import { NOTICES } from '../../../contracts/timing.ts';
import { SteadyNotices } from '../../../watcher/nodes/steady-notices.ts';

const SECOND = 1_000;
const SICK: NodeNotice = { verdict: 'Sick', source: 'NVSentinel', key: 'GpuMemWatch', since: 0 };

/** Counts what jobs are told while a source says this, second by second. */
function tellings(says: (second: number) => readonly NodeNotice[], seconds: number) {
  const steady = new SteadyNotices();
  let [changes, before] = [0, JSON.stringify(steady.notices)];
  const look = () => {
    const now = JSON.stringify(steady.notices);
    if (now !== before) changes++;
    before = now;
  };
  for (let second = 0; second < seconds; second++) {
    if (steady.dueAt !== undefined && steady.dueAt <= second * SECOND) {
      steady.settle(second * SECOND);
      look();
    }
    steady.hear(says(second), second * SECOND);
    look();
  }
  return { changes, notices: steady.notices };
}

describe('notices of a node', () => {
  it('are told at once', () => {
    const steady = new SteadyNotices();
    steady.hear([SICK], 0);
    expect(steady.notices).toEqual([SICK]);
    expect(steady.dueAt).toBeUndefined();
  });

  it('end when their source has been quiet for a while', () => {
    const steady = new SteadyNotices();
    steady.hear([SICK], 0);
    steady.hear([], SECOND);
    expect(steady.notices).toEqual([SICK]);
    expect(steady.dueAt).toBe(SECOND + NOTICES.quietMs);
    steady.settle(SECOND + NOTICES.quietMs);
    expect(steady.notices).toEqual([]);
  });

  it('of a source that flaps each second are one that goes on, as old as when it began', () => {
    const flapping = tellings((second) => (second % 2 ? [] : [{ ...SICK, since: second * SECOND }]), 3_600);
    expect(flapping).toEqual({ changes: 1, notices: [SICK] });
  });

  it('do not change with the words of their source', () => {
    const counting = tellings((second) => [{ ...SICK, reason: `${second} errors` }], 3_600);
    expect(counting.changes).toBe(1);
  });

  it('are told anew when the time moves at which the node goes', () => {
    const leaving = (deadline: number): NodeNotice => ({ ...SICK, verdict: 'Leaving', deadline });
    const steady = new SteadyNotices();
    steady.hear([leaving(1e6)], 0);
    steady.hear([leaving(2e6)], 1);
    expect(steady.dueAt).toBe(NOTICES.quietMs);
    steady.settle(NOTICES.quietMs);
    expect(steady.notices).toEqual([leaving(2e6)]);
  });

  it('are forgotten in the end', () => {
    const steady = new SteadyNotices();
    steady.hear([SICK], 0);
    steady.hear([], 0);
    steady.settle(NOTICES.quietMs);
    expect(steady.isEmpty).toBe(false);
    steady.settle(steady.dueAt!);
    expect([steady.isEmpty, steady.dueAt]).toEqual([true, undefined]);
  });

  it('are told a few times in a day, however a source flaps', () => {
    const halfPeriod = fc.integer({ min: 1, max: 7_200 });
    fc.assert(
      fc.property(fc.array(halfPeriod, { minLength: 1, maxLength: 12 }), (lengths) => {
        let [index, until, isSick] = [0, lengths[0]!, true];
        const says = (second: number) => {
          if (second >= until) {
            index = (index + 1) % lengths.length;
            until += lengths[index]!;
            isSick = !isSick;
          }
          return isSick ? [SICK] : [];
        };
        // Eight doublings take two hours with the pause after which they are forgotten; each has a beginning and an end.
        expect(tellings(says, 86_400).changes).toBeLessThanOrEqual(12 * 2 * 8);
      }),
      { numRuns: 20 },
    );
  });

  it('always end up as what their source says, when that stays the same', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), fc.boolean(), (flaps, last) => {
        const steady = new SteadyNotices();
        for (const [second, is] of [...flaps, last].entries()) steady.hear(is ? [SICK] : [], second * SECOND);
        let due = steady.dueAt;
        for (let round = 0; due !== undefined && round < 10; round++) {
          steady.settle(due);
          due = steady.dueAt;
        }
        expect([steady.notices.length, steady.dueAt]).toEqual([last ? 1 : 0, undefined]);
      }),
    );
  });
});
