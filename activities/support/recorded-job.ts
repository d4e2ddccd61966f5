import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { findFramework } from '../../frameworks/registry.ts';

/**
 * Returns the job that is stored in an anchor. Anyone who may write ConfigMaps in the namespace can write an anchor, so
 * it is trusted only for the job of its own name and namespace. Undefined otherwise.
 */
export function recordedJob({ metadata, data }: ConfigMap): TrainingJob | undefined {
  const name = metadata.labels?.[LABELS.job];
  if (!name || metadata.name !== anchorNameOf(name)) return undefined;
  const job = parse(data?.job);
  const isOwn = job?.name === name && job.namespace === metadata.namespace;
  return isOwn && findFramework(job.apiVersion, job.kind) && job.roles && job.plan ? job : undefined;
}

function parse(text: string | undefined): TrainingJob | undefined {
  try {
    return JSON.parse(text ?? '') as TrainingJob;
  } catch {
    return undefined;
  }
}
