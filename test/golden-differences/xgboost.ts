import type { Compatibility } from './difference.ts';
import { MASTER_REPLICAS_OPTIONAL, TRAINING_OPERATOR } from './training-operator.ts';

export const XGBOOST_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'XGBoostJob',
  original: 'training-operator v1.9',
  family: TRAINING_OPERATOR,
  differences: [
    MASTER_REPLICAS_OPTIONAL,
    {
      id: 'restart-policies-hold',
      area: 'running',
      original:
        'A failed pod fails the job even with `OnFailure` and `Always`, although it is recreated meanwhile.',
      signalbox: 'It is recreated and the job continues, as with every other kind.',
      why: 'The policy says so.',
    },
  ],
};
