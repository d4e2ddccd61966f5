import { countArchived, untilArchived } from './archived-jobs.ts';
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
    const archived = await countArchived(place.kubeconfig);
    await stopJobs(await startJobs(engine, warmUpOf(workload)));
    await untilArchived(place.kubeconfig, archived + 1);
    return await work(engine);
  } finally {
    await engine.close();
  }
}
