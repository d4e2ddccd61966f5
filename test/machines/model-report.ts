import { it } from '@jest/globals';
import fc from 'fast-check';
import { TIMES } from '../times.ts';

/** Something that must hold for all of very many sequences. */
export interface Claim<T> {
  /** The test's, to be run again. */
  readonly file: string;
  /** Of the sequences that are tried in all, the part that is tried for this. */
  readonly share: number;
  readonly anyOf: fc.Arbitrary<T>;
  /** Throws if it does not hold; says what happens, if somebody listens. */
  readonly examine: (one: T, say?: Say) => void;
}

export type Say = (line: string) => void;

/** Sequences tried in all. */
const WALKS = 1_000 * TIMES;
/** Some ten times what they took on a machine that did nothing else. */
const LIMIT_MS = 60_000 + 10 * WALKS;
/** One of them again, as the message of its failure says: `SIGNALBOX_WALK=1/372:0:2`. */
const [SEED = '1', PATH] = process.env.SIGNALBOX_WALK?.split('/') ?? [];

/** A test that tries as many as it is asked for, and tells the smallest for which the claim does not hold. */
export function itHolds<T>(name: string, { file, share, anyOf, examine }: Claim<T>): void {
  it(
    name,
    () => {
      const numRuns = Math.ceil(WALKS * share);
      const property = fc.property(anyOf, (one) => examine(one));
      const run = fc.check(property, { numRuns, seed: Number(SEED), path: PATH });
      if (!run.counterexample) return;
      const again = `SIGNALBOX_WALK=${run.seed}/${run.counterexamplePath} npm run test:unit -- ${file} -t '${name}'`;
      throw new Error([...problemsOf(run.counterexample[0], examine), `Once more: ${again}`].join('\n'));
    },
    LIMIT_MS,
  );
}

/** What happens, line by line, and in the first what came of it. */
function problemsOf<T>(one: T, examine: Claim<T>['examine']): readonly string[] {
  const lines: string[] = [];
  try {
    examine(one, (line) => lines.push(line));
  } catch (error) {
    return [(error as Error).message, ...lines];
  }
  return ['failed once, and not a second time', ...lines];
}
