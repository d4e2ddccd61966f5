import type { Member } from '../contracts/host-list.ts';
import type { KubeObject } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { jobMetadata } from './metadata.ts';

/** Renders the objects that belong to the whole job: created before its pods, and kept as long as its anchor. */
export const renderShared = (job: TrainingJob, anchorUid: string): readonly KubeObject[] =>
  (frameworkOf(job).sharedObjects?.(job) ?? []).map((object) => withMetadata(object, job, anchorUid));

/** Renders the objects that list the job's present pods. */
export const renderHostList = (
  job: TrainingJob,
  anchorUid: string,
  members: readonly Member[],
): readonly KubeObject[] =>
  (frameworkOf(job).hostListObjects?.(job, members) ?? []).map((object) =>
    withMetadata(object, job, anchorUid),
  );

function withMetadata(object: KubeObject, job: TrainingJob, anchorUid: string): KubeObject {
  const common = jobMetadata(job, anchorUid);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...common,
      labels: { ...object.metadata.labels, ...common.labels, [LABELS.shared]: 'true' },
    },
  };
}
