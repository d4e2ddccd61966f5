import { type CaseName, type CaseResult, START_CASES } from './cases.ts';
import { IDLE_GROWTH, type IdleGrowthRun } from './idle-growth.ts';
import { measureLiveCase } from './live-case.ts';
import type { BenchOptions } from './options.ts';
import { measureStarts, type StartRun } from './start.ts';
import { TAKE_OVER, type TakeOverRun } from './take-over.ts';

export interface BenchResults {
  /** Cases a, b and c. */
  readonly starts: readonly CaseResult<StartRun>[];
  /** Case d, where it was asked for. */
  readonly takeOvers: readonly CaseResult<TakeOverRun>[];
  /** Case e, where it was asked for. */
  readonly growths: readonly CaseResult<IdleGrowthRun>[];
}

export async function runBench(options: BenchOptions, say: (text: string) => void): Promise<BenchResults> {
  const isAsked = (name: CaseName) => options.only.includes(name);
  return {
    starts: await measureStarts(START_CASES.filter(isAsked), options, say),
    takeOvers: isAsked('d') ? [await measureLiveCase(TAKE_OVER, options, say)] : [],
    growths: isAsked('e') ? [await measureLiveCase(IDLE_GROWTH, options, say)] : [],
  };
}
