import { type ConfigMap, PODS } from '../../contracts/kubernetes.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { listOwned } from '../support/owned.ts';
import { recordedJob } from '../support/recorded-job.ts';
import { selectJob } from '../support/select-attempt.ts';
import { failedOf, takeEvidence } from './take-evidence.ts';

/**
 * Takes evidence of the failed pods of a job whose anchor, with all that it owns, is about to be deleted. Only the
 * store gets the records. Idempotent by the records.
 */
export async function collectBeforeExpiry(dependencies: Dependencies, anchor: ConfigMap): Promise<void> {
  const job = recordedJob(anchor);
  if (!job) return;
  const { uid = '' } = anchor.metadata;
  const owned = await listOwned(dependencies.cluster, PODS, selectJob(job), { anchorUid: uid });
  await takeEvidence(dependencies, { job, pods: failedOf(owned) });
}
