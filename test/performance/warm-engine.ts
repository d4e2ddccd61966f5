import { BenchEngine, type Place } from './bench-engine.ts';
import { startJobs, stopJobs } from './live-jobs.ts';

/** Works with an engine of its own. The first job of a process pays for what is loaded and compiled once. */
export async function withWarmEngine<T>(
  place: Place,
  prefix: string,
  work: (engine: BenchEngine) => Promise<T>,
): Promise<T> {
  const engine = await BenchEngine.start(place);
  try {
    await stopJobs(await startJobs(engine, { prefix: `warm-${prefix}`, jobs: 1, podsPerJob: 2 }));
    return await work(engine);
  } finally {
    await engine.close();
  }
}
