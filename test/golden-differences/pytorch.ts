import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Compatibility } from './difference.ts';
import {
  ELASTIC_GANG,
  MASTER_REPLICAS_OPTIONAL,
  NO_AUTOSCALER,
  TRAINING_OPERATOR,
} from './training-operator.ts';

export const PYTORCH_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  original: 'training-operator v1.9',
  family: TRAINING_OPERATOR,
  differences: [
    MASTER_REPLICAS_OPTIONAL,
    {
      id: 'elastic-values-are-checked',
      area: 'manifest',
      original:
        'Accepts any `nprocPerNode`, minReplicas above maxReplicas, and workers outside these bounds; crashes on an empty `rdzvConf`.',
      signalbox:
        'Rejects the first three, but only warns about workers above an unset `maxReplicas`: they wait.',
      why: 'Workers would wait forever for others or for a place.',
    },
    {
      id: 'no-init-container',
      area: 'objects',
      original: 'Workers wait for the Master in the init container `init-pytorch` (alpine, nslookup).',
      signalbox: `Adds none, because Services publish addresses before pods are ready and launchers retry. If the annotation \`${ANNOTATIONS.waitForMaster}\` or the configuration names an image for it, adds one that waits for the Master’s address.`,
      why: 'It pulls an image from the Internet, and fails jobs if that or DNS is slow.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'initContainers'], name: 'init-pytorch' }],
    },
    ELASTIC_GANG,
    { ...NO_AUTOSCALER, leavesOut: [{ kind: 'HorizontalPodAutoscaler' }] },
    {
      id: 'elastic-success',
      area: 'ending',
      original: 'An elastic job succeeds when its first worker does.',
      signalbox:
        'It succeeds when all workers have, or when at least `minReplicas` have and no other worker runs.',
      why: 'The others may still be writing.',
    },
  ],
};
