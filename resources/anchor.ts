import type { ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../contracts/labels.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { mainContainerOf } from '../frameworks/main-container.ts';
import { frameworkOf } from '../frameworks/registry.ts';

/** The workflow that a job's objects belong to. */
export interface WorkflowIdentity {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/**
 * The job's anchor: it owns all other objects of the job, claims its name in the namespace, tells the watcher which
 * workflow to speak to, and keeps the record of the job after the workflow's history is gone.
 */
export function renderAnchor(job: TrainingJob, { workflowId, firstRunId }: WorkflowIdentity): ConfigMap {
  const framework = frameworkOf(job);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: anchorNameOf(job.name),
      namespace: job.namespace,
      labels: { [LABELS.anchor]: 'true', [LABELS.job]: job.name },
      annotations: {
        [ANNOTATIONS.workflowId]: workflowId,
        [ANNOTATIONS.firstRunId]: firstRunId,
        [ANNOTATIONS.phase]: 'Pending',
        [ANNOTATIONS.mainContainer]: mainContainerOf(job.roles[0]!.template, framework).name,
      },
    },
    data: { job: JSON.stringify(job), status: JSON.stringify(firstStatus(job)) },
  };
}

/** What is recorded until the workflow has something newer to say. */
const firstStatus = ({ kind, name, namespace, warnings }: TrainingJob): JobStatus => ({
  kind,
  name,
  namespace,
  phase: 'Pending',
  state: 'Pending.Creating',
  attempt: 1,
  restarts: 0,
  conditions: [],
  replicaStatuses: {},
  warnings,
  timeline: [],
});
