import { Counter, Gauge } from 'prom-client';

/** The bridge's Prometheus metrics, in prom-client's default registry. */
export const bridgeMetrics = {
  leader: new Gauge({
    name: 'signalbox_bridge_is_leader',
    help: '1 while this bridge holds the lease.',
  }),
  resources: new Gauge({
    name: 'signalbox_bridge_resources',
    help: 'Custom resources of jobs that the bridge follows; 0 while it is not the leader.',
  }),
  waiting: new Gauge({
    name: 'signalbox_bridge_waiting_resources',
    help: 'Custom resources that the bridge works on, or will look at again after a pause.',
  }),
  started: new Counter({
    name: 'signalbox_bridge_jobs_started_total',
    help: 'Jobs that the bridge started.',
  }),
  failures: new Counter({
    name: 'signalbox_bridge_failures_total',
    help: 'Times that work on a custom resource failed; it is repeated with growing pauses.',
  }),
};
