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
  pods: new Gauge({
    name: 'signalbox_watcher_pods',
    help: 'Pods that the watcher follows; 0 while it is not the leader.',
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
    help: 'Objects that the last scan could not check or have swept, by search: orphans, latePods, missingAnchors.',
    labelNames: ['search'] as const,
  }),
  signalDelay: new Histogram({
    name: 'signalbox_watcher_signal_delay_seconds',
    help: 'Time from the first event that a digest reports to the acknowledgement of its signal.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  }),
  sweeps: new Counter({
    name: 'signalbox_watcher_sweeps_total',
    help: 'Sweeps started: of jobs whose workflow ended without clean-up, or with late pods.',
  }),
};
