import type { GangDigest } from '../contracts/digest.ts';
import { KUBE_BATCH_POD_GROUPS, type KubeObject } from '../contracts/kubernetes.ts';
import { annotationsOf } from './annotations.ts';
import { conditionMessage, countsOf, findUnschedulable, groupPhase } from './conditions.ts';
import type { GangAdapter } from './gang.ts';

const SCHEDULER = 'kube-batch';

/** kube-batch 0.5: scheduling.incubator.k8s.io/v1alpha1. */
export const kubeBatch: GangAdapter = {
  provider: 'kube-batch',
  resource: KUBE_BATCH_POD_GROUPS,
  countsFinished: true,
  ignores: {
    minResources: 'kube-batch counts what the pods ask for',
    scheduleTimeoutSeconds: 'kube-batch waits without a time limit',
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
  readGroup: (group) => {
    const phase = groupPhase(group);
    const state = phase ? `phase ${phase}` : UNSEEN;
    const unschedulable = isPlaced(group) ? undefined : findUnschedulable(group);
    return {
      scheduled: isPlaced(group) ? 'True' : notPlaced(phase, unschedulable !== undefined),
      reason: unschedulable?.reason,
      message: unschedulable ? `${state}: ${conditionMessage(unschedulable)}` : state,
    };
  },
};

/** The only hint why the pods of such a group wait forever. */
const UNSEEN =
  'kube-batch has not processed the group yet (no phase); it does not run with Kubernetes 1.22 or later';

/** The phase ignores members that have succeeded: a finished group is Pending. */
function isPlaced(group: KubeObject): boolean {
  const { minMember } = (group.spec ?? {}) as { readonly minMember?: number };
  const { running, succeeded } = countsOf(group);
  return groupPhase(group) === 'Running' || running + succeeded >= (minMember ?? Number.POSITIVE_INFINITY);
}

/** The phase Unknown means that some members run and others cannot. */
const notPlaced = (phase: string, isUnschedulable: boolean): GangDigest['scheduled'] =>
  isUnschedulable || phase === 'Unknown' ? 'False' : 'Unknown';
