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
    what: 'affinity and spread of pods are not computed',
    faults: ['waitsButNever'],
    words: /pod topology spread constraints|pod (anti-)?affinity rules/,
  },
  {
    what: 'pods that are there may bear no others beside them',
    faults: ['startsButUnplaced', 'waitsButNever'],
    words: /existing pods anti-affinity rules/,
  },
  {
    what: 'a toleration of one taint of a node that is not ready is none of the other',
    faults: ['startsButUnplaced', 'waitsButNever'],
    words: /^0\/(\d+) nodes are available: \1 node\(s\) had untolerated taint/,
  },
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
export const MOST_NOT_COMPUTED = 0.15;
