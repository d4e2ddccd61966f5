import type { BenchEngine } from './bench-engine.ts';
import { inBenchSandbox } from './bench-sandbox.ts';
import { type CaseName, type CaseResult, type CaseShape, shapeOf, title } from './cases.ts';
import type { BenchOptions } from './options.ts';
import { withWarmEngine } from './warm-engine.ts';
import { podsOf, type Workload } from './workload.ts';

/** A case that is measured beside its live jobs. Each run has a sandbox of its own, because the jobs stay. */
export interface LiveCase<Run> {
  readonly name: CaseName;
  readonly measure: (
    engine: BenchEngine,
    workload: Workload & CaseShape,
    say: (text: string) => void,
  ) => Promise<Run>;
}

export async function measureLiveCase<Run>(
  { name, measure }: LiveCase<Run>,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<CaseResult<Run>> {
  const shape = shapeOf(name, options);
  const runs: Run[] = [];
  for (let run = 1; run <= options.runs; run++) {
    say(`run ${run} of ${options.runs}, ${title(shape)}`);
    const workload = { ...shape, prefix: `live-${name}${run}` };
    const measured = await inBenchSandbox(options, podsOf(shape), (sandbox) => {
      const place = { ...sandbox, connections: options.connections };
      return withWarmEngine(place, workload, (engine) => measure(engine, workload, say));
    });
    runs.push(measured);
  }
  return { ...shape, runs };
}
