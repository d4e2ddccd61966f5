import { KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import type { Compatibility } from './difference.ts';
import { ELASTIC_GANG, NO_AUTOSCALER, TRAINING_OPERATOR } from './training-operator.ts';

export const PADDLE_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PaddleJob',
  original: 'training-operator v1.9',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'elastic-policy',
      area: 'manifest',
      original: 'Accepts `elasticPolicy` but ignores it; crashes if there is no Worker.',
      signalbox:
        'Rejects it without a Worker, and if the number of workers is outside its bounds. Warns about fields without effect.',
      why: 'Users should know what has no effect.',
    },
    ELASTIC_GANG,
    NO_AUTOSCALER,
    {
      id: 'master-of-collective-jobs',
      area: 'objects',
      original: 'In a job without a Master, no pod has the master label.',
      signalbox: 'The first worker has it.',
      why: 'Tools find the log of a job by that label.',
      leavesOut: [{ kind: 'Pod', path: ['metadata', 'labels', KUBEFLOW_LABELS.jobRole] }],
      when: ({ roles }) => !roles.some(({ name }) => name === 'Master'),
    },
  ],
};
