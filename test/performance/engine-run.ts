import { untilArchived } from './archived-jobs.ts';
import type { Place } from './bench-engine.ts';
import type { JobStart } from './job-start.ts';
import { type Histories, historiesOf, startJobs, stopJobs } from './live-jobs.ts';
import { usageWithChildren } from './process-usage.ts';
import { withWarmEngine } from './warm-engine.ts';
import type { Workload } from './workload.ts';

/** Times are milliseconds; histories are those of whole lives. */
export interface EngineResult extends JobStart, Histories {
  readonly jobs: number;
  /** From the first request to stop, until every job's phase is Stopped and its pods are gone. */
  readonly stopped: number;
  /** Peak resident memory; absent elsewhere than on Linux. */
  readonly memoryMb: { readonly worker?: number; readonly watcher?: number };
}

/** Runs a workload on an engine of its own. */
export function measureEngine(place: Place, workload: Workload): Promise<EngineResult> {
  return withWarmEngine(place, workload, (engine) =>
    untilArchived(place.kubeconfig, workload.jobs, async () => {
      const live = await startJobs(engine, workload);
      const stopped = await stopJobs(live);
      const histories = await historiesOf(engine.clients.temporal, live.jobs);
      const { worker, watcher } = engine.pids;
      const [workers, watchers] = await Promise.all([worker!, watcher!].map((pid) => usageWithChildren(pid)));
      const memoryMb = { worker: workers?.peakMb, watcher: watchers?.peakMb };
      return { jobs: workload.jobs, ...live.start, stopped, ...histories, memoryMb };
    }),
  );
}
