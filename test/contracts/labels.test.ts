import { describe, expect, it } from '@jest/globals';
import {
  ANNOTATIONS,
  anchorNameOf,
  KUBEFLOW_LABELS,
  LABELS,
  podNameOf,
  workflowIdOf,
} from '../../contracts/labels.ts';

describe('names', () => {
  it('of pods are the job’s, the role’s in lower case, and the index', () => {
    expect(podNameOf('resnet', 'Worker', 12)).toBe('resnet-worker-12');
  });

  it('of anchors have a dot, which no other object of a job has', () => {
    expect(anchorNameOf('resnet')).toBe('resnet.signalbox');
  });

  it('of workflows distinguish jobs of different namespaces', () => {
    expect(workflowIdOf({ namespace: 'ml', name: 'resnet' })).toBe('job/ml/resnet');
  });
});

const KEY = /^[a-z0-9.-]+\/[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

it.each(Object.values({ ...KUBEFLOW_LABELS, ...LABELS, ...ANNOTATIONS }))(
  '%s is a valid label key in Kubernetes',
  (key) => {
    expect(key).toMatch(KEY);
  },
);
