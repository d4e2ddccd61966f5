import fc from 'fast-check';
import { stringify } from 'yaml';
import type { ControlPlane } from './control-plane.ts';
import { objectsOfCluster } from './objects-of-cluster.ts';
import { A_CLUSTER } from './random-cluster.ts';
import { A_JOB } from './random-job.ts';
import { type Round, type Tried, tryRound } from './try-round.ts';
import { type FoundFault, faultsOf, notComputedIn } from './verdict.ts';

/** What a search found. */
export interface Searched {
  readonly pairs: number;
  /** How often each reason was given for what is not computed. */
  readonly notComputed: ReadonlyMap<string, number>;
  /** Manifests that were refused before any cluster was asked. */
  readonly invalid: number;
  /** The smallest pair that fails, and how to run it again; absent if none does. */
  readonly failure?: string;
}

const A_ROUND: fc.Arbitrary<Round> = fc.record({
  cluster: A_CLUSTER,
  jobs: fc.array(A_JOB, { minLength: 1, maxLength: 8, size: 'max' }),
});

/** A failure is made smaller with so many rounds more. */
const MOST_SHRINKING = 150;

export interface SearchOptions {
  readonly pairs: number;
  readonly seed: number;
  /** Of a failure: runs it again. */
  readonly path?: string | undefined;
  readonly onProgress?: (pairs: number) => void;
  /** Called for the first failure, which is then made smaller. */
  readonly onFault?: (text: string, pairs: number) => void;
}

/** Tries random clusters, each with some jobs, until there were so many pairs. Stops at the first that fails. */
export async function search(plane: ControlPlane, options: SearchOptions): Promise<Searched> {
  const { seed, path, onProgress, onFault } = options;
  const sum = { pairs: 0, invalid: 0 };
  const notComputed = new Map<string, number>();
  let shrinking: number | undefined;
  let rounds = 0;
  let smallest: string[] = [];
  const id = Date.now().toString(36);
  const property = fc.asyncProperty(A_ROUND, async (round) => {
    if (shrinking === undefined ? sum.pairs >= options.pairs : shrinking++ >= MOST_SHRINKING) return;
    const tried = await tryRound(plane, round, `pairs-${id}-${rounds++}`);
    if (shrinking === undefined) {
      sum.pairs += tried.length;
      sum.invalid += tried.filter(({ found }) => !found).length;
      for (const what of tried.flatMap(({ found }) => (found && notComputedIn(found)) ?? []))
        count(notComputed, shortOf(what));
      onProgress?.(sum.pairs);
    }
    const failures = tried.flatMap(failuresOf);
    if (failures.length === 0) return;
    if (shrinking === undefined) onFault?.(failures[0]!.fault.text, sum.pairs);
    shrinking ??= 0;
    smallest = failures.map(({ fault, manifest }) => shown(round, manifest, fault));
    throw new Error(failures[0]!.fault.text);
  });
  const result = await fc.check(property, { numRuns: options.pairs, seed, path, endOnFailure: false });
  const again = `Once more: SIGNALBOX_PAIR=${result.seed}/${result.counterexamplePath} npm test -- test/pairs`;
  return {
    ...{ ...sum, notComputed },
    ...(result.failed ? { failure: `${smallest[0] ?? result.errorInstance}\n\n${again}` } : {}),
  };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

const shortOf = (sentence: string): string =>
  /whether (.*) can be met is not computed/.exec(sentence)?.[1] ?? sentence;

interface Failure {
  readonly fault: FoundFault;
  readonly manifest: object;
}

const failuresOf = ({ found, manifest }: Tried): Failure[] =>
  found ? faultsOf(found).map((fault) => ({ fault, manifest })) : [];

/** The cluster and the job as manifests. */
function shown({ cluster }: Round, manifest: object, { text }: FoundFault): string {
  const { namespaces, nodes, others, volumes, rest } = objectsOfCluster(cluster, 'pairs');
  const objects = [...namespaces, ...nodes, ...others, ...volumes, ...rest];
  const documents = (all: readonly object[]) =>
    all.map((one) => stringify(one, { aliasDuplicateObjects: false })).join('---\n');
  return `${text}\n\n# the cluster\n${documents(objects)}\n# the job\n${documents([manifest])}`;
}
