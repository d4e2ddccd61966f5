import type { Condition } from '../../contracts/kubernetes.ts';
import type { JobStatus } from '../../contracts/types.ts';

/** A status as the golden cases of Kubeflow's operators have it. */
export const asKubeflow = ({ conditions, replicaStatuses, startTime, completionTime }: JobStatus) => ({
  conditions: conditions.map(({ type, status, reason, message }: Condition) => ({
    type,
    status,
    reason,
    message,
  })),
  replicaStatuses,
  startTime: startTime !== undefined,
  completionTime: completionTime !== undefined,
});
