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
  same: 'Pods, Services, names, labels, ports, variables for torch.distributed and torchrun, conditions and messages. Workers without a Master get no RANK, WORLD_SIZE and MASTER_ADDR there either: torchrun finds them.',
  family: TRAINING_OPERATOR,
  differences: [
    MASTER_REPLICAS_OPTIONAL,
    {
      id: 'elastic-values-are-checked',
      area: 'manifest',
      original:
        'Accepts any `nprocPerNode`, minReplicas above maxReplicas, a number of workers outside of these bounds (a bound that is left out equals the other one), and crashes on an empty `rdzvConf`.',
      signalbox:
        'Refuses the first three, but warns of workers above a `maxReplicas` that was left out: they wait. An empty list sets nothing.',
      why: 'Workers would wait for others, or for a place, for ever.',
    },
    {
      id: 'no-init-container',
      area: 'objects',
      original: 'Workers wait for the Master in an init container, `init-pytorch` (alpine, nslookup).',
      signalbox: `None, as Services publish addresses before pods are ready and launchers try again themselves; unless the annotation \`${ANNOTATIONS.waitForMaster}\` or the configuration names an image for it. It then waits for the address of the Master.`,
      why: 'It pulls an image from the Internet, and fails jobs where that or DNS is slow.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'initContainers'], name: 'init-pytorch' }],
    },
    ELASTIC_GANG,
    { ...NO_AUTOSCALER, leavesOut: [{ kind: 'HorizontalPodAutoscaler' }] },
    {
      id: 'elastic-success',
      area: 'ending',
      original: 'An elastic job has succeeded when its first worker has.',
      signalbox:
        'When all of them have; or at least `minReplicas`, if nobody else is at work. Workers that have found no node by then are removed.',
      why: 'The others may still be writing.',
    },
  ],
};
