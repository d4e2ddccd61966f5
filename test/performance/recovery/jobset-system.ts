import { restartComponent } from '@signalbox/sandbox';
import { ClusterClient } from '../../../cluster/client.ts';
import type { KubeObject, Resource } from '../../../contracts/kubernetes.ts';
import type { ThrowawaySandbox } from '../throwaway-sandbox.ts';
import { sharedJobSet } from './jobset-controller.ts';
import { removePeerJob } from './peer-jobs.ts';
import type { RunningSystem } from './running-system.ts';

const JOB_SETS: Resource<KubeObject> = {
  apiVersion: 'jobset.x-k8s.io/v1alpha2',
  kind: 'JobSet',
  plural: 'jobsets',
  namespaced: true,
};
export const JOB_SET_LABEL = 'jobset.sigs.k8s.io/jobset-name';

/** JobSet, and the Job controller of Kubernetes, which makes its pods. */
export async function startJobSetSystem(place: ThrowawaySandbox): Promise<RunningSystem> {
  const cluster = await ClusterClient.connect(place);
  try {
    const controller = await sharedJobSet(place, cluster);
    return {
      podLabel: JOB_SET_LABEL,
      parts: {
        controller: () => controller.restart(),
        'api-server': () => restartComponent(place.dir, 'kube-apiserver', 'kill'),
      },
      submit: async ([jobSet]) => void (await cluster.create(JOB_SETS, jobSet!)),
      remove: (name) => removePeerJob(cluster, { resource: JOB_SETS, podLabel: JOB_SET_LABEL }, name),
      close: async () => {
        await controller.close();
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
