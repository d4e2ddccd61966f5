import { PodCensusTaker } from './census/pod-census.ts';
import type { WatchedJob } from './jobs/job.ts';
import { metrics } from './metrics.ts';

/** Jobs that report progress, whose progress has a series each. */
const MOST_REPORTING = 500;

/** Keeps the metrics of the pods that a leader follows, and of what their jobs report. */
export class FollowedMetrics {
  readonly #taker = new PodCensusTaker();
  #countedAt?: number;

  count(jobs: readonly WatchedJob[]): void {
    const { pods, gpus, gpusWaiting } = this.#taker.take(jobs);
    pods.showOn(metrics.pods);
    gpus.showOn(metrics.gpus);
    gpusWaiting.showOn(metrics.gpusWaiting);
    const now = performance.now();
    const seconds = (now - (this.#countedAt ?? now)) / 1000;
    this.#countedAt = now;
    for (const { labels, value } of gpus.values()) metrics.gpuSeconds.inc(labels, value * seconds);
    showProgress(jobs);
  }

  clear(): void {
    const { pods, gpus, gpusWaiting, progressAt, withoutSteps } = metrics;
    for (const gauge of [pods, gpus, gpusWaiting, progressAt, withoutSteps]) gauge.reset();
  }
}

function showProgress(jobs: readonly WatchedJob[]): void {
  metrics.progressAt.reset();
  metrics.withoutSteps.reset();
  const reporting = jobs.flatMap(({ namespace, anchor, progress, steps }) => {
    const at = progress?.lastReportAt ?? steps?.lastStepAt;
    if (!anchor?.job || anchor.final || at === undefined) return [];
    if (steps?.late !== undefined) metrics.withoutSteps.inc({ job_namespace: namespace });
    return [{ job_namespace: namespace, job_name: anchor.job.name, at: at / 1000 }];
  });
  for (const { at, ...labels } of reporting.slice(0, MOST_REPORTING)) metrics.progressAt.set(labels, at);
}
