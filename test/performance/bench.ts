import type { CaseName, CaseResult } from './cases.ts';
import type { BenchOptions } from './options.ts';
import { measureStarts, type StartRun } from './start.ts';
import { measureTakeOvers, type TakeOverRun } from './take-over.ts';

export interface BenchResults {
  /** Cases a, b and c. */
  readonly starts: readonly CaseResult<StartRun>[];
  /** Case d, where it was asked for. */
  readonly takeOvers: readonly CaseResult<TakeOverRun>[];
}

export async function runBench(options: BenchOptions, say: (text: string) => void): Promise<BenchResults> {
  const isAsked = (name: CaseName) => options.only.includes(name);
  return {
    starts: await measureStarts((['a', 'b', 'c'] as const).filter(isAsked), options, say),
    takeOvers: isAsked('d') ? [await measureTakeOvers(options, say)] : [],
  };
}
