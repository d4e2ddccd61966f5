import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { watchRulesOf } from '../resources/anchor.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectResult } from './support/result.ts';

export interface PublishRulesRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
}

/**
 * Writes to the anchor what the watcher looks for, and the present job, which a sweep needs. Idempotent: the newest
 * replaces the previous one. Ignores an anchor that is gone or belongs to another job.
 */
export async function publishRules(
  dependencies: Dependencies,
  { job, anchorUid }: PublishRulesRequest,
): Promise<EffectResult> {
  const rules = watchRulesOf(job);
  const anchor = { namespace: job.namespace, name: anchorNameOf(job.name), uid: anchorUid };
  await patchAnchor(dependencies, anchor, {
    annotations: { [ANNOTATIONS.watch]: rules ? JSON.stringify(rules) : null },
    data: { job: JSON.stringify(job) },
  });
  return { revision: 0 };
}
