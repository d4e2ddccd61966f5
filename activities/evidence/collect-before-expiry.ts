import { type ConfigMap, PODS } from '../../contracts/kubernetes.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { listOwned } from '../support/owned.ts';
import { recordedJob } from '../support/recorded-job.ts';
import { selectJob } from '../support/select-attempt.ts';
import { failedOf, takeEvidence } from './take-evidence.ts';

/**
 * Before an anchor is deleted, and with it all that it owns: takes evidence of the failed pods that its job left behind.
 * Nothing is told of them any more, but the store has their records. Idempotent as these are.
 */
export async function collectBeforeExpiry(dependencies: Dependencies, anchor: ConfigMap): Promise<void> {
  const job = recordedJob(anchor);
  if (!job) return;
  const { uid = '' } = anchor.metadata;
  const owned = await listOwned(dependencies.cluster, PODS, selectJob(job), { anchorUid: uid });
  await takeEvidence(dependencies, { job, pods: failedOf(owned) });
}
