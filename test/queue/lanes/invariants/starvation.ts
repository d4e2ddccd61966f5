import { compareEntries, waitsSince } from '../../../../queue/lanes/lane-entry.ts';
import { MINUTE } from '../lanes.ts';
import type { Check } from '../world.ts';
import { byUid, running } from './arithmetic.ts';

/** Which jobs nothing may pass, since when, and until when they must have started. */
export function nobodyStarves(): Check {
  const bounds = new Map<string, number>();
  return ({ state, decision, afterwards, acts, world }) => {
    const strict = [...decision.standings].find(([, { sentence }]) =>
      /it has waited for .*: nothing may delay it$/.test(sentence),
    )?.[0];
    const isOwed = [...decision.standings.values()].some(({ code }) => code === 'CapacityBeingFreed');
    if (acts.length > 0 || isOwed) bounds.clear();
    for (const uid of bounds.keys()) if (uid !== strict) bounds.delete(uid);
    if (!strict || isOwed) return [];
    // Whatever runs ends by its declaration, or when it is done; what starts meanwhile runs on for 4 minutes at most. Pods may be left.
    const leftMs = Math.max(...world.jobs.map(({ spec }) => spec.leavesPodsFor)) * MINUTE;
    const ends = running(afterwards).map(({ uid, granted, durationMs = 0 }) => {
      const { left, goneAt = 0, startedAt = 0 } = world.job(uid);
      return Math.max(startedAt + left, goneAt, (granted?.startedAt ?? 0) + durationMs) + 4 * MINUTE + leftMs;
    });
    const head = byUid(state, strict);
    // Jobs of its lane with a higher priority, and others that wait for longer, come before it.
    const isPassed = decision.grants.some(({ uid }) => {
      const one = byUid(state, uid);
      return (one.lane === head.lane && compareEntries(one, head) < 0) || waitsSince(one) <= waitsSince(head);
    });
    const bound = (isPassed ? undefined : bounds.get(strict)) ?? Math.max(...ends);
    bounds.set(strict, bound);
    return state.at > bound
      ? [`I5: ${strict} must have started ${(state.at - bound) / MINUTE} minutes ago`]
      : [];
  };
}
