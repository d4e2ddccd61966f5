import type { FaultName, Found } from './verdict.ts';

/** Answers that are known to be wrong. Each is to be mended, and then goes: no new one may be added. */
interface KnownGap {
  readonly what: string;
  readonly faults: readonly FaultName[];
  /** Of the scheduler or the API server. */
  readonly words: RegExp;
}

const KNOWN_GAPS: readonly KnownGap[] = [
  {
    what: 'devices of claims are not counted',
    faults: ['waitsButNever'],
    words: /cannot allocate all claims/,
  },
];

/** Returns the known gap that an answer falls into. */
export const gapOf = (name: FaultName, { now, emptied }: Found): KnownGap | undefined =>
  KNOWN_GAPS.find(
    ({ faults, words }) =>
      faults.includes(name) &&
      [now, emptied].some((outcome) =>
        [...(outcome?.said ?? []), ...(outcome?.refused ?? [])].some((said) => words.test(said)),
      ),
  );

/** The largest share of answers that say that they are not computed. It only falls. */
export const MOST_NOT_COMPUTED = 0.04;
