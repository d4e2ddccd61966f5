import { untilArchived } from './archived-jobs.ts';
import { BenchEngine, type Place } from './bench-engine.ts';
import { startJobs, stopJobs } from './live-jobs.ts';
import { type Workload, warmUpOf } from './workload.ts';

/** Works with an engine of its own, after one uncounted job. */
export async function withWarmEngine<T>(
  place: Place,
  workload: Workload,
  work: (engine: BenchEngine) => Promise<T>,
): Promise<T> {
  const engine = await BenchEngine.start(place);
  try {
    const warmUp = async () => stopJobs(await startJobs(engine, warmUpOf(workload)));
    await untilArchived(place.kubeconfig, 1, warmUp);
    return await work(engine);
  } finally {
    await engine.close();
  }
}
