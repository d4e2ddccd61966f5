import { type EngineResult, measureEngine, type Place } from './engine-run.ts';
import type { BenchOptions } from './options.ts';
import { measureRawLimit, type RawResult } from './raw-limit.ts';
import { podsOf, type Workload } from './workload.ts';

export type CaseName = 'a' | 'b';

/** One measurement of one case, with the raw limit as it was a moment before. */
export interface CaseRun {
  /** The same objects, in gangs as the engine makes them. */
  readonly raw: RawResult;
  /** Once per run: the cases have the same objects. */
  readonly rawWithoutGang?: RawResult;
  readonly engine: EngineResult;
}

export interface CaseResult {
  readonly name: CaseName;
  readonly jobs: number;
  readonly podsPerJob: number;
  readonly runs: readonly CaseRun[];
}

type Say = (text: string) => void;

/** Every case so many times, one after the other, so that a drift of the machine's speed meets all of them. */
export async function runBench(place: Place, options: BenchOptions, say: Say): Promise<CaseResult[]> {
  const results = casesOf(options).map((shape) => ({ ...shape, runs: [] as CaseRun[] }));
  for (let run = 1; run <= options.runs; run++) {
    for (const result of results) {
      say(`run ${run} of ${options.runs}, ${title(result)}`);
      const isFirst = result === results[0];
      result.runs.push(await measureCase(place, result, { run, isFirst, say }));
    }
  }
  return results;
}

export const title = ({ name, jobs, podsPerJob }: Omit<CaseResult, 'runs'>) =>
  `(${name}) ${jobs} ${jobs === 1 ? 'job' : 'jobs'} x ${podsPerJob} pods`;

function casesOf({ only, pods, jobs }: BenchOptions): Omit<CaseResult, 'runs'>[] {
  const all = [
    { name: 'a', jobs: 1, podsPerJob: pods },
    { name: 'b', jobs, podsPerJob: Math.max(1, Math.round(pods / jobs)) },
  ] as const;
  return all.filter(({ name }) => only === undefined || name === only);
}

async function measureCase(
  place: Place,
  { name, jobs, podsPerJob }: Omit<CaseResult, 'runs'>,
  { run, isFirst, say }: { readonly run: number; readonly isFirst: boolean; readonly say: Say },
): Promise<CaseRun> {
  const workload = (kind: string): Workload => ({ prefix: `${kind}-${name}${run}`, jobs, podsPerJob });
  say(`  raw limit: ${podsOf(workload(''))} Services and Pods`);
  const rawWithoutGang = isFirst ? await measureRawLimit(place, workload('plain'), 'none') : undefined;
  say('  raw limit, in gangs');
  const raw = await measureRawLimit(place, workload('raw'), 'native');
  say('  engine');
  const engine = await measureEngine(place, workload('engine'));
  return { raw, rawWithoutGang, engine };
}
