import { Context } from '@temporalio/activity';
import type { Pod } from '../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { EvidenceSummary } from '../../contracts/types.ts';
import { isPodFailed } from '../../evidence/failed-containers.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { inParallel } from '../support/in-parallel.ts';
import { type CollectedEvidence, EvidenceCollector } from './evidence-collector.ts';

interface EvidenceRequest {
  readonly job: TrainingJob;
  readonly pods: readonly Pod[];
  /** If absent, the activity's own. */
  readonly signal?: AbortSignal;
}

/** Limit, because each reads a log and keeps its end in memory. */
const AT_ONCE = 16;

/**
 * Takes evidence of pods: stores a record of each, and returns the summaries for the workflow's history, the first
 * failure first. Notes in the record what could not be captured. Throws only when it is cancelled. Idempotent by the
 * pod's uid: it reads an existing record.
 */
export async function takeEvidence(
  dependencies: Dependencies,
  { job, pods, signal = Context.current().cancellationSignal }: EvidenceRequest,
): Promise<EvidenceSummary[]> {
  if (pods.length === 0) return [];
  const taking = new EvidenceCollector(dependencies, job, signal);
  const taken: CollectedEvidence[] = [];
  const limit = Math.min(AT_ONCE, dependencies.connections);
  await inParallel(pods, { limit, signal }, async (pod) => void taken.push(await taking.of(pod)));
  return taken.sort(byTimeOfFailure).map(({ summary }) => summary);
}

/** Returns the failed pods, which need evidence before they are deleted. */
export const failedOf = (pods: readonly Pod[]): Pod[] => pods.filter(isPodFailed);

/** Times are RFC 3339 in UTC, as Kubernetes writes them. Names order failures of the same second. */
const byTimeOfFailure = (a: CollectedEvidence, b: CollectedEvidence) =>
  Date.parse(a.failedAt) - Date.parse(b.failedAt) ||
  a.summary.pod.localeCompare(b.summary.pod, 'en', { numeric: true });
