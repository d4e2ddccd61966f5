import fc from 'fast-check';

/** Something that must hold for all of very many. */
export interface Claim<T> {
  /** As the test is called: it is run again by that. */
  readonly name: string;
  readonly file: string;
  /** Of the sequences that are tried in all, the part that is tried for this. */
  readonly share: number;
  readonly anyOf: fc.Arbitrary<T>;
  /** Throws if it does not hold. */
  readonly examine: (one: T) => void;
  /** What happens, step by step, up to where it fails. */
  readonly tell: (one: T) => readonly string[];
}

const USUAL_WALKS = 100_000;

/** Sequences tried in all: `SIGNALBOX_WALKS=1000000` for a longer search. */
const WALKS = Number(process.env.SIGNALBOX_WALKS ?? USUAL_WALKS);

/** One of them again, as the message of its failure says: `SIGNALBOX_WALK=1/372:0:2`. */
const [SEED = '1', PATH] = process.env.SIGNALBOX_WALK?.split('/') ?? [];

/** Tries a claim with as many as there is time for, and tells the smallest for which it fails. */
export function explore<T>({ name, file, share, anyOf, examine, tell }: Claim<T>): void {
  const numRuns = Math.ceil(WALKS * share);
  const run = fc.check(fc.property(anyOf, examine), { numRuns, seed: Number(SEED), path: PATH });
  if (!run.failed) return;
  const [smallest] = run.counterexample;
  const error = run.errorInstance instanceof Error ? run.errorInstance : new Error(String(run.errorInstance));
  throw new Error(
    [
      `${error.message}, after ${run.numRuns} sequences and ${run.numShrinks} attempts to make it smaller`,
      ...tell(smallest),
      `once more: SIGNALBOX_WALK=${run.seed}/${run.counterexamplePath} npm test -- ${file} -t '${name}'`,
    ].join('\n'),
    { cause: error },
  );
}
