import type { Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { isReplica } from '../../frameworks/kinds/pod-names.ts';

/** Tells the pods of a job's replicas from copies of them, which nobody waits for. */
export const replicasOnly =
  (job: TrainingJob) =>
  ({ metadata: { name, labels } }: Pod): boolean =>
    isReplica(job, { name, role: labels?.[LABELS.role] ?? '', index: Number(labels?.[LABELS.index]) });
