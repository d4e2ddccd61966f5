import type { ClusterClient } from '../../cluster/client.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { attemptOf } from '../../contracts/objects.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { listOwned } from './owned.ts';
import { selectJob } from './select-attempt.ts';

interface AttemptOfJob {
  readonly job: Pick<TrainingJob, 'namespace' | 'name'>;
  readonly anchorUid: string;
  readonly attempt: number;
}

interface Filters {
  readonly where?: (pod: Pod) => boolean;
  readonly fieldSelector?: string;
}

/** Lists the pods of an attempt. Does not select by the label of the attempt, which any user can edit. */
export function listPodsOfAttempt(
  cluster: ClusterClient,
  { job, anchorUid, attempt }: AttemptOfJob,
  { where = () => true, fieldSelector }: Filters = {},
): Promise<Pod[]> {
  return listOwned(
    cluster,
    PODS,
    { ...selectJob(job), fieldSelector },
    {
      anchorUid,
      where: (pod) => attemptOf(pod) === attempt && where(pod),
    },
  );
}
