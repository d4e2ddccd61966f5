import type { AnchoredJob } from '../../bridge/anchored-job.ts';
import type { ResourceFacts } from '../../bridge/resource-facts.ts';

export const aResource = (more: Partial<ResourceFacts> = {}): ResourceFacts => ({
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', namespace: 'ml', name: 'train' },
  ...{
    uid: 'u1',
    resourceVersion: '7',
    generation: 1,
    annotations: undefined,
    isDeleting: false,
    isForeign: false,
    isOwn: false,
    isSuspended: false,
    autoscaling: undefined,
    status: {},
  },
  ...more,
});

export const anAnchor = (more: Partial<AnchoredJob> = {}): AnchoredJob => ({
  ...{ uid: 'a1', namespace: 'ml', anchorName: 'train.signalbox', name: 'train', installation: 'here' },
  owner: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1' },
  ...{ runId: 'r1', generation: 1, annotations: undefined, status: { phase: 'Running' }, hasLostEnd: false },
  ...more,
});
