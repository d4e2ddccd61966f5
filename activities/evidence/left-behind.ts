import { type ConfigMap, PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Dependencies } from '../dependencies.ts';
import { isOwnedBy } from '../shared-objects.ts';
import { failedOf, takeEvidence } from './take-evidence.ts';

/**
 * Before an anchor is deleted, and with it all that it owns: takes evidence of the failed pods that its job left behind.
 * Nothing is told of them any more, but the store has their records. Idempotent as these are.
 */
export async function takeLeftEvidence(
  dependencies: Dependencies,
  { metadata, data }: ConfigMap,
): Promise<void> {
  const name = metadata.labels?.[LABELS.job];
  if (!name || !data?.job) return;
  const { items } = await dependencies.cluster.list(PODS, {
    namespace: metadata.namespace,
    labelSelector: `${LABELS.job}=${name}`,
  });
  const owned = items.filter((pod) => isOwnedBy(pod, metadata.uid ?? ''));
  await takeEvidence(dependencies, { job: JSON.parse(data.job) as TrainingJob, pods: failedOf(owned) });
}
