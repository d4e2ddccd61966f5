import type { Place } from './bench-engine.ts';
import { type CaseName, type CaseResult, type CaseShape, shapeOf, title } from './cases.ts';
import { type EngineResult, measureEngine } from './engine-run.ts';
import type { BenchOptions } from './options.ts';
import { measureRawLimit, type RawResult } from './raw-limit.ts';
import { inThrowawaySandbox } from './throwaway-sandbox.ts';
import { podsOf, type Workload } from './workload.ts';

/** One measurement of jobs that start, with the raw limit as it was a moment before. */
export interface StartRun {
  /** The same objects as the engine makes, in gangs where jobs have several pods. */
  readonly raw: RawResult;
  /** Once per run, of the first case whose jobs have several pods: the cases have the same objects. */
  readonly rawWithoutGang?: RawResult;
  readonly engine: EngineResult;
}

type Say = (text: string) => void;

/** Every case so many times, one after the other, so that a drift of the machine's speed meets all of them. */
export async function measureStarts(
  names: readonly CaseName[],
  options: BenchOptions,
  say: Say,
): Promise<readonly CaseResult<StartRun>[]> {
  const results = names.map((name) => ({ ...shapeOf(name, options), runs: [] as StartRun[] }));
  if (results.length === 0) return results;
  const comparedWithoutGang = results.find(({ podsPerJob }) => podsPerJob > 1);
  await inThrowawaySandbox(Math.max(...results.map(podsOf)), async (sandbox) => {
    const place = { ...sandbox, connections: options.connections };
    for (let run = 1; run <= options.runs; run++) {
      for (const result of results) {
        say(`run ${run} of ${options.runs}, ${title(result)}`);
        const withoutGang = result === comparedWithoutGang;
        result.runs.push(await measureStart(place, result, { run, withoutGang, say }));
      }
    }
  });
  return results;
}

async function measureStart(
  place: Place,
  { name, jobs, podsPerJob }: CaseShape,
  { run, withoutGang, say }: { readonly run: number; readonly withoutGang: boolean; readonly say: Say },
): Promise<StartRun> {
  const workload = (kind: string): Workload => ({ prefix: `${kind}-${name}${run}`, jobs, podsPerJob });
  say(`  raw limit: ${podsOf({ jobs, podsPerJob })} Services and Pods`);
  const rawWithoutGang = withoutGang
    ? await measureRawLimit(place, { ...workload('plain'), gang: 'none' })
    : undefined;
  const raw = await measureRawLimit(place, workload('raw'));
  say('  engine');
  const engine = await measureEngine(place, workload('engine'));
  return { raw, rawWithoutGang, engine };
}
