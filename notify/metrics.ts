import { Counter, Gauge } from 'prom-client';

/** The notifier's Prometheus metrics, in prom-client's default registry. */
export const notifierMetrics = {
  faulty: new Gauge({
    name: 'signalbox_notifier_routes_faulty',
    help: '1 if the file of routes has faults: the last good one is in use, or none.',
  }),
  started: new Counter({
    name: 'signalbox_notifier_messages_total',
    help: 'Messages that were started, by route.',
    labelNames: ['route'] as const,
  }),
  deliveries: new Counter({
    name: 'signalbox_notifier_deliveries_total',
    help: 'Tries to deliver a message, by receiver and how they ended: delivered, failed (it is tried again) or refused.',
    labelNames: ['receiver', 'result'] as const,
  }),
  unread: new Gauge({
    name: 'signalbox_notifier_unread_jobs',
    help: 'Jobs whose histories cannot be read: they are told late, or not at all.',
  }),
  lookedAt: new Gauge({
    name: 'signalbox_notifier_looked_timestamp_seconds',
    help: 'When this process last looked for news; 0 on one that stands by.',
  }),
};
