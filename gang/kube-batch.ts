import { KUBE_BATCH_POD_GROUPS } from '../contracts/kubernetes.ts';
import { annotationsOf } from './annotations.ts';
import { type GangAdapter, NO_TIERS } from './gang.ts';

const SCHEDULER = 'kube-batch';

/**
 * kube-batch 0.5: scheduling.incubator.k8s.io/v1alpha1. It needs APIs that Kubernetes 1.22 removed, so nothing writes the status
 * of its groups: the adapter renders what manifests ask for, and reads no status.
 */
export const kubeBatch: GangAdapter = {
  provider: 'kube-batch',
  resource: KUBE_BATCH_POD_GROUPS,
  countsFinished: true,
  ignores: {
    minResources: 'kube-batch counts what the pods ask for',
    scheduleTimeoutSeconds: 'kube-batch waits without a time limit',
    networkTopology: NO_TIERS,
  },
  schedulerOf: () => SCHEDULER,
  sizeFields: ['minMember'],
  renderGroup: (job, groupName) => ({
    apiVersion: KUBE_BATCH_POD_GROUPS.apiVersion,
    kind: KUBE_BATCH_POD_GROUPS.kind,
    metadata: { name: groupName, annotations: annotationsOf(job) },
    spec: {
      minMember: job.gang.minMember,
      // Without a queue, kube-batch uses the one that it was started with.
      queue: job.gang.queue || undefined,
      priorityClassName: job.gang.priorityClass || undefined,
    },
  }),
  membership: (_, groupName) => ({
    annotations: { 'scheduling.k8s.io/group-name': groupName },
    spec: { schedulerName: SCHEDULER },
  }),
  readGroup: () => ({ scheduled: 'Unknown', message: UNSEEN }),
};

/** The only hint why the pods of such a group wait forever. */
const UNSEEN =
  'kube-batch has not processed the group yet (no phase); it does not run with Kubernetes 1.22 or later';
