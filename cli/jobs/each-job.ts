import type { Manifest } from '../../client/manifests/named-manifest.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { tallyText } from '../../language/tally.ts';
import { titleOf } from '../input/manifests.ts';
import { errorData } from '../print/error-data.ts';
import { note } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { explainError } from '../shell/errors.ts';
import { exitNow, exitOfError, exitWith } from '../shell/exit-codes.ts';

/** What became of one of several manifests, by its place among them. */
interface Tried {
  readonly index: number;
  readonly error?: Error | undefined;
}

type Done<T> = Exclude<T, { readonly error: Error }>;

interface EachJob<T> {
  readonly manifests: readonly Manifest[];
  /** What is done with them, for the progress on a terminal. */
  readonly step: string;
  /** Those of several jobs are printed once. */
  readonly warningsOf: (one: Done<T>) => readonly string[];
  /** Prints what became of one that did not fail. */
  readonly print: (one: Done<T>) => void;
  /** What became of one, to be counted. */
  readonly resultOf: (one: Done<T>) => string;
}

/**
 * Prints in the given order what becomes of each manifest, and at the end how many did what. An error of one of several
 * is printed as that job's; the exit code is that of the first. Returns them in that order.
 */
export async function eachJob<T extends Tried>(tried: AsyncIterable<T>, each: EachJob<T>): Promise<T[]> {
  const print = printerOf(each);
  if (each.manifests.length > 1) return eachOfSeveral(tried, { ...each, print });
  const only: T[] = [];
  for await (const one of tried) {
    if (!isDone(one)) throw one.error;
    print(one);
    only.push(one);
  }
  return only;
}

function printerOf<T>({ warningsOf, print }: EachJob<T>): EachJob<T>['print'] {
  const printed = new Set<string>();
  return (one) => {
    for (const warning of warningsOf(one)) {
      if (!printed.has(warning)) note(`warning: ${warning}`);
      printed.add(warning);
    }
    print(one);
  };
}

async function eachOfSeveral<T extends Tried>(tried: AsyncIterable<T>, each: EachJob<T>): Promise<T[]> {
  const { manifests, print, step } = each;
  const progress = process.stderr.isTTY ? createProgress(process.stderr) : undefined;
  const inOrder = printInOrder<T>((one) => {
    progress?.clear();
    if (isDone(one)) return print(one);
    note(`${titleOf(manifests[one.index])}: ${explainError(one.error, { debug: false })}`);
  });
  let ended: T[] = [];
  const end = () => {
    progress?.end();
    ended = inOrder.end();
    note(tallyOf(ended, each));
  };
  const interrupt = () => {
    end();
    exitNow('interrupted');
  };
  process.once('SIGINT', interrupt);
  progress?.step(step);
  try {
    let count = 0;
    for await (const one of tried) {
      inOrder.add(one);
      progress?.detail(`${++count} of ${manifests.length} jobs`);
    }
  } finally {
    process.off('SIGINT', interrupt);
    end();
  }
  exitWith(...ended.flatMap(({ error }) => (error ? [exitOfError(error)] : [])));
  return ended;
}

/** Prints each as soon as all before it are known. */
function printInOrder<T extends Tried>(print: (one: T) => void) {
  // Sparse: `forEach` and `filter` skip those that are not known.
  const known: T[] = [];
  let next = 0;
  return {
    add: (one: T) => {
      for (known[one.index] = one; known[next]; next++) print(known[next]!);
    },
    /** Prints those that wait for others, and returns all in their order. */
    end: () => {
      known.slice(next).forEach(print);
      return known.filter(() => true);
    },
  };
}

const isDone = <T extends Tried>(one: T): one is Done<T> => one.error === undefined;

function tallyOf<T extends Tried>(ended: readonly T[], { manifests, resultOf }: EachJob<T>): string {
  const counts = new Map<string, number>();
  const done = ended.filter(isDone);
  for (const result of done.map(resultOf)) counts.set(result, (counts.get(result) ?? 0) + 1);
  const failed = ended.length - done.length;
  const left = manifests.length - ended.length;
  const tally = tallyText(manifests.length, [...counts, ['failed', failed], ['left', left]]);
  return left > 0 ? `${tally}; the same command continues with those` : tally;
}

/** Returns the data about a job that failed, for programs. */
export const failedJob = <const R>({ metadata }: Manifest, error: Error, result: R) => ({
  workflowId: workflowIdOf(metadata),
  ...result,
  error: errorData(error),
});
