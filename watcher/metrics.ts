import { Counter, Gauge, Histogram } from 'prom-client';

/** The watcher's Prometheus metrics, in prom-client's default registry. */
export const metrics = {
  signals: new Counter({
    name: 'signalbox_watcher_signals_total',
    help: 'Digests sent to workflows, by result: delivered, gone (no such running workflow), failed (retried), givenUp.',
    labelNames: ['result'] as const,
  }),
  jobs: new Gauge({
    name: 'signalbox_watcher_jobs',
    help: 'Jobs that the watcher follows; 0 while it is not the leader.',
  }),
  openJobs: new Gauge({
    name: 'signalbox_jobs',
    help: 'Jobs that have not ended, by phase and reason, as Temporal knows them; counted by the leading watcher.',
    labelNames: ['job_namespace', 'kind', 'phase', 'reason'] as const,
  }),
  teamJobs: new Gauge({
    name: 'signalbox_team_jobs',
    help: 'Jobs that have not ended, by the label of their manifest that SIGNALBOX_TEAM_LABEL names.',
    labelNames: ['team', 'phase'] as const,
  }),
  oldestPending: new Gauge({
    name: 'signalbox_oldest_pending_job_timestamp_seconds',
    help: 'When the oldest job was submitted that is Pending in its first attempt.',
    labelNames: ['job_namespace'] as const,
  }),
  censusAt: new Gauge({
    name: 'signalbox_census_timestamp_seconds',
    help: 'When the leading watcher last counted the jobs that have not ended.',
    labelNames: [] as const,
  }),
  pods: new Gauge({
    name: 'signalbox_pods',
    help: 'Pods that the leading watcher follows, by state.',
    labelNames: ['job_namespace', 'state'] as const,
  }),
  gpus: new Gauge({
    name: 'signalbox_gpus',
    help: 'GPUs that pods with a node request, by phase of their job.',
    labelNames: ['job_namespace', 'phase'] as const,
  }),
  gpusWaiting: new Gauge({
    name: 'signalbox_gpus_waiting',
    help: 'GPUs that pods without a node request.',
    labelNames: ['job_namespace'] as const,
  }),
  gpuSeconds: new Counter({
    name: 'signalbox_gpu_seconds_total',
    help: 'signalbox_gpus over time, while this watcher leads.',
    labelNames: ['job_namespace', 'phase'] as const,
  }),
  progressAt: new Gauge({
    name: 'signalbox_job_progress_timestamp_seconds',
    help: 'When a running job last reported progress, or its log last told a step, for at most 500 jobs that do.',
    labelNames: ['job_namespace', 'job_name'] as const,
  }),
  withoutSteps: new Gauge({
    name: 'signalbox_jobs_without_steps',
    help: 'Running jobs whose log has told no step for longer than usual.',
    labelNames: ['job_namespace'] as const,
  }),
  interruptedStreams: new Gauge({
    name: 'signalbox_watcher_stream_interrupted_seconds',
    help: 'For how long a stream from the cluster has been interrupted, by stream; 0 while it is read.',
    labelNames: ['stream'] as const,
  }),
  logs: new Gauge({
    name: 'signalbox_watcher_logs',
    help: 'Logs of jobs that report progress in their log, by state: followed, waiting for a free slot.',
    labelNames: ['state'] as const,
  }),
  leader: new Gauge({
    name: 'signalbox_watcher_is_leader',
    help: '1 while this watcher holds the lease.',
  }),
  failingJobs: new Gauge({
    name: 'signalbox_watcher_failing_jobs',
    help: 'Jobs whose last digest could not be sent to their workflow; retried with growing pauses.',
  }),
  unusableAnchors: new Gauge({
    name: 'signalbox_watcher_unusable_anchors',
    help: 'ConfigMaps that are labelled as anchors of jobs of this installation, but name no workflow; ignored.',
  }),
  scanLeft: new Gauge({
    name: 'signalbox_watcher_scan_left',
    help: 'Objects that the last scan could not check or have cleaned up, by search: orphans, latePods, missingAnchors.',
    labelNames: ['search'] as const,
  }),
  turnsUnused: new Counter({
    name: 'signalbox_watcher_turns_unused_total',
    help: 'Turns of jobs that were over, or taken back, without use: grant (of a lane, not taken in time), place (in a lane, without pods), gang (a gated gang, not lifted in time).',
    labelNames: ['turn'] as const,
  }),
  signalDelay: new Histogram({
    name: 'signalbox_watcher_signal_delay_seconds',
    help: 'Time from the first event that a digest reports to the acknowledgement of its signal.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  }),
  orphanCleanUps: new Counter({
    name: 'signalbox_watcher_orphan_cleanups_total',
    help: 'Orphan clean-ups started: of jobs whose workflow ended without clean-up, or with late pods.',
  }),
};
