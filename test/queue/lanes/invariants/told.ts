import { isDeepStrictEqual } from 'node:util';
import { LANE_REASONS } from '../../../../queue/lanes/lane-reasons.ts';
import type { LanesState } from '../../../../queue/lanes/lanes-decision.ts';
import type { Check } from '../world.ts';
import { waiting } from './arithmetic.ts';

/** Each job is told something, and nothing else before anything has happened. */

/** Each job that waits is granted or goes on waiting, never both; those that hold something are left alone. */
export const nobodyIsLost: Check = ({ state, decision, world }) => {
  const told = [...decision.grants.map(({ uid }) => uid), ...decision.standings.keys()].sort();
  const should = waiting(state)
    .map(({ uid }) => uid)
    .sort();
  const known = world.jobs.filter(({ state: is }) =>
    ['waiting', 'running', 'yielding', 'left'].includes(is),
  ).length;
  return [
    ...(isDeepStrictEqual(told, should) ? [] : [`I8: ${told.join()} are told, ${should.join()} wait`]),
    ...(known === state.entries.length ? [] : [`I8: ${known} jobs live, ${state.entries.length} are known`]),
  ];
};

/** Everybody who waits has one reason, with words, and a minute later the same one if nothing has happened. */
export const reasonsAreStable: Check = ({ decision, afterwards, decide }) => {
  const broken: string[] = [];
  for (const [uid, { code, sentence, position, of }] of decision.standings) {
    if (!LANE_REASONS.includes(code) || sentence.length < 10)
      broken.push(`I10: ${uid} is not told why it waits`);
    if (position !== undefined && (position < 1 || position > of))
      broken.push(`I10: ${uid} is ${position} of ${of}`);
  }
  const quiet = { ...afterwards, at: afterwards.at + 1 };
  if (timesOf(afterwards).includes(quiet.at)) return broken;
  const later = decide(quiet);
  for (const { uid } of later.grants)
    broken.push(`I10: ${uid} starts at ${quiet.at}, although nothing happened`);
  for (const [uid, { code }] of later.standings) {
    const before = decision.standings.get(uid);
    if (before && before.code !== code) broken.push(`I10: ${uid} waits for ${before.code}, then for ${code}`);
  }
  return broken;
};

/** When something changes by itself. */
const timesOf = ({ entries, lanes }: LanesState): number[] =>
  entries.flatMap(({ granted, durationMs = 0, since, requeuedAt = 0, heldUntil = 0 }) => [
    ...(granted ? [granted.at + durationMs] : []),
    Math.max(since, requeuedAt) + lanes.starveAfterMs,
    heldUntil,
  ]);
