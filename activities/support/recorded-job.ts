import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { findFramework } from '../../frameworks/registry.ts';

/**
 * The job that an anchor stands for, as it is recorded there. An anchor is data in somebody's namespace, and whoever may
 * write ConfigMaps there can write one: it is believed only about the job of its own name in its own namespace.
 * Undefined for one that says anything else.
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
