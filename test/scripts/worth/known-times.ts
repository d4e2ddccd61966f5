import type { SystemTimes, TrialTime } from '../../../scripts/worth/recovery-times.ts';

const kind = (...trials: readonly TrialTime[]) => ({ basis: 'measured' as const, trials });

export const after = (seconds: number, kept = 0): TrialTime => ({ seconds, kept, waitsForPerson: false });

/** A system that recovers from a crash in 4 or 6 s, from a hang in so many. */
export const timesWithHang = (hang: number, lost = after(360), system = 'a'): SystemTimes => ({
  ...{ system, settings: 'best' },
  kinds: {
    crash: kind(after(4), after(6)),
    hang: kind(after(hang)),
    drain: kind(after(10, 1)),
    'node-silent': kind(lost),
  },
});
