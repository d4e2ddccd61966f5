/** Labels and annotations, and the names of what signalbox makes. */

/** Kubeflow's labels, which people's dashboards and network policies already select by. */
export const KUBEFLOW_LABELS = {
  operatorName: 'training.kubeflow.org/operator-name',
  jobName: 'training.kubeflow.org/job-name',
  jobRole: 'training.kubeflow.org/job-role',
  replicaType: 'training.kubeflow.org/replica-type',
  replicaIndex: 'training.kubeflow.org/replica-index',
} as const;

export const LABELS = {
  /** On the anchor only. */
  anchor: 'signalbox.dev/anchor',
  /** On everything of a job: the job's name. */
  job: 'signalbox.dev/job',
  /** On everything of an attempt: its number, from 1. */
  attempt: 'signalbox.dev/attempt',
} as const;

export const ANNOTATIONS = {
  workflowId: 'signalbox.dev/workflow-id',
  /** The first run of the workflow: it stays the same through continue-as-new, and differs for a job run again. */
  firstRunId: 'signalbox.dev/first-run-id',
  /** The job's phase as last recorded. */
  phase: 'signalbox.dev/phase',
  /** The container whose exit code counts. */
  mainContainer: 'signalbox.dev/main-container',
  /** In a manifest: the gang scheduler to use. */
  gang: 'signalbox.dev/gang',
} as const;

/** Job names have no dot, so no other object of a job can have the anchor's name. */
export const anchorNameOf = (jobName: string) => `${jobName}.signalbox`;

export const podNameOf = (jobName: string, role: string, index: number) =>
  `${jobName}-${role.toLowerCase()}-${index}`;

/** Where a job's workflow is found when nobody chose another id: one live job per name. */
export const workflowIdOf = (job: { readonly namespace: string; readonly name: string }) =>
  `job/${job.namespace}/${job.name}`;
