import { fileURLToPath } from 'node:url';
import { ensureTrainingOperator, installCustomResources, restartComponent } from '@signalbox/sandbox';
import { ClusterClient } from '../../../cluster/client.ts';
import { KUBEFLOW_LABELS } from '../../../contracts/labels.ts';
import { OperatorProcess } from '../operator-process.ts';
import { PYTORCH_JOBS, type PyTorchJob } from '../pytorch-jobs.ts';
import type { ThrowawaySandbox } from '../throwaway-sandbox.ts';
import { removePeerJob } from './peer-jobs.ts';
import type { RunningSystem } from './running-system.ts';

const INIT_CONTAINER = fileURLToPath(new URL('manifests/init-container.tmpl', import.meta.url));

/** With its threads and requests raised also as shipped, which one job does not need. */
export async function startTrainingOperator({ dir, kubeconfig }: ThrowawaySandbox): Promise<RunningSystem> {
  const { program, customResources } = await ensureTrainingOperator();
  const cluster = await ClusterClient.connect({ kubeconfig });
  const start = () => OperatorProcess.start({ program, kubeconfig, initContainer: INIT_CONTAINER }, cluster);
  try {
    await installCustomResources(cluster, [customResources]);
    let operator = await start();
    return {
      podLabel: KUBEFLOW_LABELS.jobName,
      parts: {
        controller: async () => {
          await operator.kill();
          operator = await start();
        },
        'api-server': () => restartComponent(dir, 'kube-apiserver', 'kill'),
      },
      submit: async ([job]) => void (await cluster.create(PYTORCH_JOBS, job as PyTorchJob)),
      remove: (name) =>
        removePeerJob(cluster, { resource: PYTORCH_JOBS, podLabel: KUBEFLOW_LABELS.jobName }, name),
      close: async () => {
        await operator.stop();
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
