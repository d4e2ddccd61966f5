import { KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import type { Compatibility } from './difference.ts';
import { ELASTIC_GANG, NO_AUTOSCALER, TRAINING_OPERATOR } from './training-operator.ts';

export const PADDLE_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PaddleJob',
  original: 'training-operator v1.9',
  same: 'Pods, Services, names, labels, ports, variables for paddle.distributed.launch with and without parameter servers, conditions and messages.',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'elastic-policy',
      area: 'manifest',
      original: 'Accepts `elasticPolicy` and does nothing with it; without a Worker it crashes on it.',
      signalbox:
        'Without a Worker it is a fault, and so are bounds that the number of workers is not within. What of it has no effect is warned of.',
      why: 'Nobody should wait for what does not come.',
    },
    ELASTIC_GANG,
    NO_AUTOSCALER,
    {
      id: 'master-of-collective-jobs',
      area: 'objects',
      original: 'No pod of a job without a Master has the label of the master.',
      signalbox: 'Its first worker has.',
      why: 'The log of a job is looked up by that label.',
      leavesOut: [{ kind: 'Pod', path: ['metadata', 'labels', KUBEFLOW_LABELS.jobRole] }],
      when: ({ roles }) => !roles.some(({ name }) => name === 'Master'),
    },
  ],
};
