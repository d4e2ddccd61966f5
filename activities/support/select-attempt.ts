import type { Selection } from '../../cluster/client.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';

/** Selects the objects with the label of a job. */
export const selectJob = ({ namespace, name }: Pick<TrainingJob, 'namespace' | 'name'>) =>
  ({ namespace, labelSelector: `${LABELS.job}=${name}` }) satisfies Selection;

/** Selects the objects of an attempt. */
export const selectAttempt = ({ job, attempt }: { readonly job: TrainingJob; readonly attempt: number }) =>
  ({
    namespace: job.namespace,
    labelSelector: `${LABELS.job}=${job.name},${LABELS.attempt}=${attempt}`,
  }) satisfies Selection;
