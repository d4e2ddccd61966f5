import type { QueuePlace } from '../contracts/types.ts';
import { withoutUndefined } from '../language/fields.ts';

/** How many of those ahead are named. */
export const MOST_AHEAD = 5;

/** Of jobs in their order the place of the one at an index. */
export const placeAt = (
  index: number,
  names: readonly string[],
  queue: Pick<QueuePlace, 'queue' | 'name'>,
): QueuePlace => ({
  ...withoutUndefined(queue),
  position: index + 1,
  of: names.length,
  ahead: names.slice(0, Math.min(index, MOST_AHEAD)).map((who) => ({ who })),
});

/** Says a place in words, e.g. `position 2 of 3 in lane research; ahead: job/ml/train`; undefined if there is nothing to say. */
export function placeText({
  queue,
  name,
  position,
  of,
  ahead,
  earliestStart,
  inClusterQueue,
}: QueuePlace): string | undefined {
  const more = (position ?? 1) - 1 > ahead.length ? ', …' : '';
  const parts = [
    position === undefined ? undefined : `position ${position} of ${of} ${WHERE[queue](name)}`,
    inClusterQueue === undefined ? undefined : `${inClusterQueue} in its ClusterQueue`,
    ahead.length > 0 ? `ahead: ${ahead.map(({ who }) => who).join(', ')}${more}` : undefined,
    earliestStart === undefined
      ? undefined
      : `it can start at ${earliestStart.replace(/\.\d+Z$/, 'Z')}, when enough jobs have ended`,
  ];
  return parts.filter(Boolean).join('; ') || undefined;
}

/** Returns a sentence with the place of whom it is about, if there is one. */
export const withPlace = (sentence: string, place: QueuePlace | undefined): string =>
  [sentence, place && placeText(place)].filter(Boolean).join('; ');

const WHERE: Readonly<Record<QueuePlace['queue'], (name?: string) => string>> = {
  lane: (name) => `in lane ${name}`,
  gatedGangs: () => 'among the gated gangs',
  LocalQueue: (name) => `in LocalQueue ${name}`,
};
