import type { Compatibility } from './difference.ts';
import { MASTER_REPLICAS_OPTIONAL, TRAINING_OPERATOR } from './training-operator.ts';

export const XGBOOST_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'XGBoostJob',
  original: 'training-operator v1.9',
  same: 'Pods, Services, names, labels, ports, variables for XGBoost’s and LightGBM’s workers, conditions and messages.',
  family: TRAINING_OPERATOR,
  differences: [
    MASTER_REPLICAS_OPTIONAL,
    {
      id: 'restart-policies-hold',
      area: 'running',
      original:
        'A failed pod fails the job also with `OnFailure` and `Always`, though it is made again meanwhile.',
      signalbox: 'It is made again and the job goes on, as with every other kind.',
      why: 'The policy says so.',
    },
  ],
};
