/** Metrics of jobs that workflows record; Temporal's SDK adds them to the worker's page of metrics. */

interface JobMetric {
  readonly name: string;
  readonly help: string;
}

/**
 * A job that was never admitted has neither `kind` nor `job_namespace`: nothing has checked its manifest, and labels must
 * stay few. The label is not called `namespace`, which the SDK uses for Temporal's, and Prometheus for that of a target.
 */
export const JOB_COUNTERS = {
  submitted: {
    name: 'signalbox_jobs_submitted_total',
    help: 'Jobs that were admitted, or have ended before (without job_namespace and kind).',
  },
  ended: {
    name: 'signalbox_jobs_ended_total',
    help: 'Jobs that have ended and are cleaned up, by phase and reason; signalbox_watcher_orphan_cleanups_total has those that Temporal terminated.',
  },
  restarts: {
    name: 'signalbox_job_restarts_total',
    help: 'Restarts of pods, as the status of a job counts them, by scope and failure class.',
  },
  requests: {
    name: 'signalbox_job_requests_total',
    help: 'Requests to jobs, by result: accepted, refused.',
  },
  refusals: {
    name: 'signalbox_job_refusals_total',
    help: 'How often the API server began to refuse what a job needs, by reason; repetitions do not count.',
  },
  evidence: {
    name: 'signalbox_evidence_total',
    help: 'Failed pods whose evidence was to be kept, by result: saved, partial, failed.',
  },
} as const satisfies Readonly<Record<string, JobMetric>>;

export const JOB_HISTOGRAMS = {
  wait: {
    name: 'signalbox_job_wait_seconds',
    help: 'Time from the submission of a job until it ran first.',
  },
  start: {
    name: 'signalbox_job_start_seconds',
    help: 'Time from when all pods of a job had a node until the job ran.',
  },
  recovery: {
    name: 'signalbox_job_recovery_seconds',
    help: 'Time from a failure until the job ran again, by scope of the restart.',
  },
  duration: {
    name: 'signalbox_job_duration_seconds',
    help: 'Time from the submission of a job until it had ended and was cleaned up, by phase.',
  },
} as const satisfies Readonly<Record<string, JobMetric>>;

/** In seconds: 1, then 2.5 doubled until 7 days are covered. */
const BUCKETS: readonly number[] = [1, ...Array.from({ length: 19 }, (_, index) => 2.5 * 2 ** index)];

/** Buckets by the name of the histogram, as the SDK's core takes them. */
export const JOB_BUCKETS: Record<string, number[]> = Object.fromEntries(
  Object.values(JOB_HISTOGRAMS).map(({ name }) => [name, [...BUCKETS]]),
);
