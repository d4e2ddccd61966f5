import { ensureTrainingOperator, type OperatorFiles } from '@signalbox/sandbox';
import { createProgress } from '../../cli/print/progress.ts';
import type { Place } from './bench-engine.ts';
import { inBenchSandbox } from './bench-sandbox.ts';
import { type CaseName, type CaseResult, type CaseShape, shapeOf, title } from './cases.ts';
import { type EngineResult, measureEngine } from './engine-run.ts';
import { measureOperator, type OperatorResult } from './operator-run.ts';
import type { BenchOptions } from './options.ts';
import { measureRawLimit, type RawResult } from './raw-limit.ts';
import { podsOf, type Workload } from './workload.ts';

/** One measurement of jobs that start, with the raw limit as it was a moment before. */
export interface StartRun {
  /** The same objects as the engine makes, in gangs where it makes gangs. */
  readonly raw: RawResult;
  /** Once per run, of the first case whose jobs have several pods: the cases have the same objects. */
  readonly rawWithoutGang?: RawResult;
  readonly engine: EngineResult;
  /** With `--versus`. Engine and raw limit then make no gangs either. */
  readonly operator?: OperatorResult;
}

interface Bench {
  readonly place: Place;
  readonly operator?: OperatorFiles;
  readonly say: (text: string) => void;
}

/** Every case so many times, one after the other, so that a drift of the machine's speed meets all of them. */
export async function measureStarts(
  names: readonly CaseName[],
  options: BenchOptions,
  say: (text: string) => void,
): Promise<readonly CaseResult<StartRun>[]> {
  const results = names.map((name) => ({ ...shapeOf(name, options), runs: [] as StartRun[] }));
  if (results.length === 0) return results;
  const operator = options.versus && (await obtainOperator());
  const comparedWithoutGang = operator ? undefined : results.find(({ podsPerJob }) => podsPerJob > 1);
  await inBenchSandbox(options, Math.max(...results.map(podsOf)), async (sandbox) => {
    const bench = { place: { ...sandbox, connections: options.connections }, operator, say };
    for (let run = 1; run <= options.runs; run++) {
      for (const result of results) {
        say(`run ${run} of ${options.runs}, ${title(result)}`);
        const withoutGang = result === comparedWithoutGang;
        result.runs.push(await measureStart(bench, result, { run, withoutGang }));
      }
    }
  });
  return results;
}

/** Before there is a sandbox, so that a machine without Go learns it at once. */
async function obtainOperator(): Promise<OperatorFiles> {
  const report = createProgress(process.stderr);
  try {
    return await ensureTrainingOperator({ report });
  } finally {
    report.end();
  }
}

async function measureStart(
  { place, operator, say }: Bench,
  { name, jobs, podsPerJob }: CaseShape,
  { run, withoutGang }: { readonly run: number; readonly withoutGang: boolean },
): Promise<StartRun> {
  const gang = operator && 'none';
  const workload = (kind: string): Workload => ({ prefix: `${kind}-${name}${run}`, jobs, podsPerJob, gang });
  const engine = () => {
    say('  engine');
    return measureEngine(place, workload('engine'));
  };
  say(`  raw limit: ${podsOf({ jobs, podsPerJob })} Services and Pods`);
  const rawWithoutGang = withoutGang
    ? await measureRawLimit(place, { ...workload('plain'), gang: 'none' })
    : undefined;
  const raw = await measureRawLimit(place, workload('raw'));
  if (!operator) return { raw, rawWithoutGang, engine: await engine() };
  const versus = () => {
    say('  training-operator');
    return measureOperator(place, operator, workload('operator'));
  };
  return { raw, ...(await inTurns(run, { engine, operator: versus })) };
}

/** Each comes first in every other run, so that the order favours neither. */
async function inTurns<E, O>(
  run: number,
  { engine, operator }: { readonly engine: () => Promise<E>; readonly operator: () => Promise<O> },
): Promise<{ readonly engine: E; readonly operator: O }> {
  if (run % 2 === 1) return { engine: await engine(), operator: await operator() };
  const before = await operator();
  return { engine: await engine(), operator: before };
}
