import { ensureJobSet } from '@signalbox/sandbox';
import type { ClusterClient } from '../../../cluster/client.ts';
import type { ThrowawaySandbox } from '../throwaway-sandbox.ts';
import {
  type RunningController,
  startWebhookController,
  type WebhookController,
} from './webhook-controller.ts';

const PODS_OF_JOBSETS = {
  matchExpressions: [{ key: 'jobset.sigs.k8s.io/jobset-name', operator: 'Exists' }],
};

async function jobSetController(): Promise<WebhookController> {
  return {
    name: 'jobset',
    files: await ensureJobSet(),
    namespace: 'jobset-system',
    service: 'jobset-webhook-service',
    secret: 'jobset-webhook-server-cert',
    configurations: {
      MutatingWebhookConfiguration: 'jobset-mutating-webhook-configuration',
      ValidatingWebhookConfiguration: 'jobset-validating-webhook-configuration',
    },
    selectorOf: (path) => (path.endsWith('--v1-pod') ? PODS_OF_JOBSETS : undefined),
    config: ({ webhook, health }) => ({
      apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
      kind: 'Configuration',
      health: { healthProbeBindAddress: `127.0.0.1:${health}` },
      metrics: { bindAddress: '0' },
      webhook: { host: '127.0.0.1', port: webhook },
      leaderElection: { leaderElect: true, resourceNamespace: 'jobset-system' },
      internalCertManagement: { enable: true },
    }),
  };
}

const running = new WeakMap<ThrowawaySandbox, Promise<RunningController>>();

/** One for a sandbox: Trainer needs it too. */
export function sharedJobSet(place: ThrowawaySandbox, cluster: ClusterClient): Promise<RunningController> {
  const known = running.get(place);
  if (known) return known;
  const started = jobSetController().then((controller) =>
    startWebhookController(controller, { ...place, cluster }),
  );
  running.set(place, started);
  return started;
}
