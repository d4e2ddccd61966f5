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
  /** On the anchor only: the installation that the job belongs to, as the id of its Temporal namespace. */
  installation: 'signalbox.dev/installation',
  /** On everything of a job: the job's name. */
  job: 'signalbox.dev/job',
  /** On pods and groups: the number of their attempt, from 1. Services belong to names, which serve every attempt. */
  attempt: 'signalbox.dev/attempt',
  /** On pods of a role that was started again by itself, or of which many failed at once: how often, from 1. */
  incarnation: 'signalbox.dev/incarnation',
  /** On pods that keep away from some nodes: until when, for the first of these, in epoch milliseconds. */
  avoidsUntil: 'signalbox.dev/avoids-until',
  /** On pods: the role in lower case, and the index in it, whatever labels the kind itself has for them. */
  role: 'signalbox.dev/role',
  index: 'signalbox.dev/index',
  /** On what belongs to the whole job and outlives its pods, e.g. a ConfigMap of hosts. */
  shared: 'signalbox.dev/shared',
} as const;

export const ANNOTATIONS = {
  workflowId: 'signalbox.dev/workflow-id',
  /** The first run of the workflow: it stays the same through continue-as-new, and differs for a job run again. */
  firstRunId: 'signalbox.dev/first-run-id',
  /** On the anchor: the Kubernetes cluster that it was made in. */
  clusterId: 'signalbox.dev/cluster-id',
  /** The job's phase as last recorded. */
  phase: 'signalbox.dev/phase',
  /** On the anchor: apiVersion and kind of the job, `kubeflow.org/v1 PyTorchJob`. */
  kind: 'signalbox.dev/kind',
  /** The container whose exit code counts, by role in lower case: `master=pytorch,worker=pytorch`. */
  mainContainer: 'signalbox.dev/main-container',
  /** On the anchor: the pod whose log is the job's, e.g. the master or the launcher. */
  mainPod: 'signalbox.dev/main-pod',
  /** On the anchor: which pods the job keeps a list of, as `formatHostListRule` writes it. */
  hostList: 'signalbox.dev/host-list',
  /** In a manifest: how failures are dealt with, as YAML; docs/policy.md. */
  policy: 'signalbox.dev/policy',
  /** On the anchor: what its watcher looks out for, as JSON (`WatchRules`). */
  watch: 'signalbox.dev/watch',
  /** On the anchor of a job that has ended: when it goes, with all that it owns; RFC 3339. */
  expiresAt: 'signalbox.dev/expires-at',
  /** On the anchor of a job that has ended: which of its pods may not be there any more (`CleanUpScope`). */
  cleanUp: 'signalbox.dev/clean-up',
  /** On the anchor: when its workflow last asked the watcher to look, in epoch milliseconds. */
  asked: 'signalbox.dev/asked',
  /** On pods: a checkpoint is asked for. */
  checkpoint: 'signalbox.dev/checkpoint',
  /** In a manifest: the gang scheduler to use. On the anchor: the one that was chosen. */
  gang: 'signalbox.dev/gang',
  /** In the manifest of a PyTorchJob: an image, with nslookup, by which its workers wait for the master. */
  waitForMaster: 'signalbox.dev/wait-for-master',
} as const;

/** In every container that is told of its job: the number of the attempt, from 1. */
export const ATTEMPT_VARIABLE = 'SIGNALBOX_ATTEMPT';

/** Job names have no dot, so no other object of a job can have the anchor's name. */
export const anchorNameOf = (jobName: string) => `${jobName}.signalbox`;

export const podNameOf = (jobName: string, role: string, index: number) =>
  `${jobName}-${role.toLowerCase()}-${index}`;

/** Where a job's workflow is found when nobody chose another id: one live job per name. */
export const workflowIdOf = (job: { readonly namespace: string; readonly name: string }) =>
  `job/${job.namespace}/${job.name}`;
