import { ensureTrainer, restartComponent } from '@signalbox/sandbox';
import { ClusterClient } from '../../../cluster/client.ts';
import type { KubeObject, Resource } from '../../../contracts/kubernetes.ts';
import type { ThrowawaySandbox } from '../throwaway-sandbox.ts';
import { NAMESPACE } from '../workload.ts';
import { sharedJobSet } from './jobset-controller.ts';
import { JOB_SET_LABEL } from './jobset-system.ts';
import { removePeerJob } from './peer-jobs.ts';
import type { RunningSystem } from './running-system.ts';
import { startWebhookController, type WebhookController } from './webhook-controller.ts';

const resource = (kind: string, plural: string): Resource<KubeObject> => ({
  ...{ apiVersion: 'trainer.kubeflow.org/v1alpha1', namespaced: true, kind, plural },
});
const TRAIN_JOBS = resource('TrainJob', 'trainjobs');
const RUNTIMES = resource('TrainingRuntime', 'trainingruntimes');

const NAMESPACE_OF_TRAINER = 'kubeflow-system';

async function trainerController(): Promise<WebhookController> {
  return {
    name: 'trainer',
    files: await ensureTrainer(),
    namespace: NAMESPACE_OF_TRAINER,
    service: 'kubeflow-trainer-controller-manager',
    secret: 'kubeflow-trainer-webhook-cert',
    configurations: {
      MutatingWebhookConfiguration: 'defaulter.trainer.kubeflow.org',
      ValidatingWebhookConfiguration: 'validator.trainer.kubeflow.org',
    },
    config: ({ webhook, health }) => ({
      apiVersion: 'config.trainer.kubeflow.org/v1alpha1',
      kind: 'Configuration',
      health: { healthProbeBindAddress: `127.0.0.1:${health}` },
      metrics: { bindAddress: '0' },
      webhook: { host: '127.0.0.1', port: webhook },
      // As shipped: the controller has no defaults of its own for these.
      leaderElection: {
        ...{
          leaderElect: true,
          resourceName: 'trainer.kubeflow.org',
          resourceNamespace: NAMESPACE_OF_TRAINER,
        },
        ...{ leaseDuration: '15s', renewDeadline: '10s', retryPeriod: '2s' },
      },
      controller: {
        groupKindConcurrency: {
          'TrainJob.trainer.kubeflow.org': 5,
          'TrainingRuntime.trainer.kubeflow.org': 1,
          'ClusterTrainingRuntime.trainer.kubeflow.org': 1,
        },
      },
      clientConnection: { qps: 50, burst: 100 },
      certManagement: {
        enable: true,
        webhookServiceName: 'kubeflow-trainer-controller-manager',
        webhookSecretName: 'kubeflow-trainer-webhook-cert',
      },
    }),
  };
}

/** Trainer, JobSet, and the Job controller of Kubernetes. */
export async function startTrainerSystem(place: ThrowawaySandbox): Promise<RunningSystem> {
  const cluster = await ClusterClient.connect(place);
  try {
    const jobSet = await sharedJobSet(place, cluster);
    const trainer = await startWebhookController(await trainerController(), { ...place, cluster });
    return {
      podLabel: JOB_SET_LABEL,
      parts: {
        controller: async () => void (await Promise.all([jobSet.restart(), trainer.restart()])),
        'api-server': () => restartComponent(place.dir, 'kube-apiserver', 'kill'),
      },
      submit: async ([runtime, job]) => {
        await cluster.create(RUNTIMES, runtime!);
        await cluster.create(TRAIN_JOBS, job!);
      },
      remove: async (name) => {
        await removePeerJob(cluster, { resource: TRAIN_JOBS, podLabel: JOB_SET_LABEL }, name);
        await cluster.delete(RUNTIMES, NAMESPACE, name);
      },
      close: async () => {
        await Promise.all([trainer.close(), jobSet.close()]);
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
