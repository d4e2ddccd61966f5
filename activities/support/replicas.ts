import type { Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { isReplica } from '../../frameworks/kinds/pod-names.ts';

/** Selects the pods of a job's replicas; foreign pods are not waited for. */
export const replicasOnly =
  (job: TrainingJob) =>
  ({ metadata: { name, labels } }: Pod): boolean =>
    isReplica(job, { name, role: labels?.[LABELS.role] ?? '', index: Number(labels?.[LABELS.index]) });
