import { roleKey } from './roles.ts';

/** Labels, annotations and names of the objects that signalbox creates. */

export const OWN_PREFIX = 'signalbox.dev/';

/** The beginning of annotations by which a template configures how its pods end on simulated nodes. */
export const FOR_SIMULATED_NODES = `${OWN_PREFIX}simulate`;

/** Whether signalbox alone sets the label or annotation of a pod. */
export const isOwnKey = (key: string): boolean =>
  key.startsWith(OWN_PREFIX) && !key.startsWith(FOR_SIMULATED_NODES);

/** Returns labels or annotations without signalbox's own: those of a pod say what it is, so nobody else may set them. */
export const withoutOwnKeys = (
  keys: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => !isOwnKey(key)));

/** Kubeflow's labels. Existing dashboards and network policies select by them. */
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
  /** On the anchor, and on all that workers make for the job: its installation, the id of its Temporal namespace. */
  installation: 'signalbox.dev/installation',
  /** On all objects of a job but the anchor: the anchor's uid, in case that they lose the reference to it. */
  anchorUid: 'signalbox.dev/anchor-uid',
  /** On all objects of a job: the job's name. */
  job: 'signalbox.dev/job',
  /** On pods and groups: the number of their attempt, from 1. Services have none, because they serve every attempt. */
  attempt: 'signalbox.dev/attempt',
  /** On pods of a role that was restarted on its own or of which many failed at once: how often, from 1. */
  incarnation: 'signalbox.dev/incarnation',
  /** On members of a gated gang, as in `6-of-8`: how many of them must be placed together, and how many there are. */
  gated: 'signalbox.dev/gated',
  /** On pods that avoid nodes: when the first avoidance expires, in epoch milliseconds. */
  avoidsUntil: 'signalbox.dev/avoids-until',
  /** On pods: the role in lower case and the index in it, whatever labels the kind itself has for them. */
  role: 'signalbox.dev/role',
  index: 'signalbox.dev/index',
  /** On pods, also spares: their own name. A copy of a pod has its labels, but another name. */
  pod: 'signalbox.dev/pod',
  /** On spares: a hash of what they are made from. */
  spare: 'signalbox.dev/spare',
  /** On pods: the container that the program runs in. */
  mainContainer: 'signalbox.dev/main-container',
  /** On pods: `true` if their result is that of all containers, not of the main container. */
  waitsForSidecars: 'signalbox.dev/waits-for-sidecars',
  /** In the manifest of a trial: the parameter sweep that it belongs to. */
  sweep: 'signalbox.dev/sweep',
  /** On leases: which part its holders are, `watcher` or `bridge`. */
  part: 'signalbox.dev/part',
  /** On admission policies for the resources of jobs: which of them it is. */
  admission: 'signalbox.dev/admission',
  /** On the record of a job in a lane, which is beside the lanes. */
  laneRecord: 'signalbox.dev/lane-record',
  /** On objects that belong to the whole job and outlive its pods, e.g. a ConfigMap of hosts. */
  shared: 'signalbox.dev/shared',
} as const;

export const ANNOTATIONS = {
  workflowId: 'signalbox.dev/workflow-id',
  /** The first run of the workflow. Continue-as-new keeps it; a resubmitted job has another one. */
  firstRunId: 'signalbox.dev/first-run-id',
  /** On the watchers' lease: which streams of the leader are interrupted, as JSON; absent if none is. */
  interruptedStreams: 'signalbox.dev/interrupted-streams',
  /** On the anchor: the Kubernetes cluster that it was created in. */
  clusterId: 'signalbox.dev/cluster-id',
  /** On the anchor of a job that was made from a custom resource: the generation of its spec that it follows. */
  generation: 'signalbox.dev/generation',
  /** Beside it: a hash of the resource's annotations that decide something. */
  annotationsHash: 'signalbox.dev/annotations-hash',
  /** The last recorded phase of the job. */
  phase: 'signalbox.dev/phase',
  /** On the anchor: how often its phase was recorded, so that a late record does not replace a newer one. */
  record: 'signalbox.dev/record',
  /** On the anchor: apiVersion and kind of the job, `kubeflow.org/v1 PyTorchJob`. */
  kind: 'signalbox.dev/kind',
  /** The container whose exit code counts, by role in lower case: `master=pytorch,worker=pytorch`. */
  mainContainer: 'signalbox.dev/main-container',
  /** On the anchor: the pod whose log is the job's log, e.g. the master or the launcher. */
  mainPod: 'signalbox.dev/main-pod',
  /** On the anchor: which pods are on the job's host list, in the format of `formatHostListRule`. */
  hostList: 'signalbox.dev/host-list',
  /** In a manifest: the policy as YAML; docs/policy.md. */
  policy: 'signalbox.dev/policy',
  /** On the anchor: what the watcher looks for, as JSON (`WatchRules`). */
  watch: 'signalbox.dev/watch',
  /** On the anchor: the roles in lower case whose pods have a Service of their name each: `master,worker`. */
  services: 'signalbox.dev/services',
  /** On the anchor of an ended job: when it is deleted with all that it owns; RFC 3339. */
  expiresAt: 'signalbox.dev/expires-at',
  /** On the anchor of an ended job: which of its pods were deleted (`CleanUpScope`). */
  cleanUp: 'signalbox.dev/clean-up',
  /** On the anchor of an ended job: clean-up deleted pods whose program had ended and whose other containers ran on. */
  removedOutlived: 'signalbox.dev/removed-outlived',
  /** On the anchor: at how many active pods the workflow decides something, as in `8,10`. */
  milestones: 'signalbox.dev/milestones',
  /** On the anchor: the pod whose success is that of the job; absent if it takes more than one. */
  decidingPod: 'signalbox.dev/deciding-pod',
  /** On the anchor: the job has its outcome, and its clean-up has begun. */
  ending: 'signalbox.dev/ending',
  /** On the anchor: the hash of the last digest that the workflow received, while that is all it knows. */
  digest: 'signalbox.dev/digest',
  /** On the anchor: when the workflow last asked the watcher for a digest, in epoch milliseconds. */
  asked: 'signalbox.dev/asked',
  /** On pods: when a checkpoint was requested, RFC 3339. */
  checkpoint: 'signalbox.dev/checkpoint',
  /** In a manifest: what the job reads and what it makes, as YAML lists; docs/attestation.md. */
  inputs: 'signalbox.dev/inputs',
  outputs: 'signalbox.dev/outputs',
  /** In a manifest: the gang scheduler to use. On the anchor: the one that was chosen. */
  gang: 'signalbox.dev/gang',
  /** On the anchor of a job that Kueue has admitted: what that adds to the pods of the attempt, as JSON (`AdmittedPlacement`). */
  placement: 'signalbox.dev/placement',
  /** On the Workload of a job: hash of what signalbox asks Kueue for. */
  workload: 'signalbox.dev/workload',
  /** On members of a gated gang, in attempts after the first: when the first began, in epoch milliseconds. */
  queuedSince: 'signalbox.dev/queued-since',
  /** On members of a gated gang: `onQuota` if their gates may be, or were, lifted without room for all of them. */
  lift: 'signalbox.dev/lift',
  /** In a manifest: for whom the job is run, e.g. if a pipeline submits it. Recorded, not checked. */
  requestedBy: 'signalbox.dev/requested-by',
  /** On a custom resource: who edited its spec last, as the API server knew them, and the generation that this made. */
  editedBy: 'signalbox.dev/edited-by',
  editedGeneration: 'signalbox.dev/edited-generation',
  /** In the manifest of a trial: the values of its parameters, as JSON. */
  parameters: 'signalbox.dev/parameters',
  /** In the manifest of a PyTorchJob: an image with nslookup, in which workers wait for the master. */
  waitForMaster: 'signalbox.dev/wait-for-master',
} as const;

/** The scheduling gate of pods that wait until there is room for their whole gang. */
export const GANG_GATE = `${OWN_PREFIX}gang`;

/** In every container that gets the job's environment: the number of the attempt, from 1. */
export const ATTEMPT_VARIABLE = 'SIGNALBOX_ATTEMPT';

/** Job names have no dot, so no other object of a job can have the anchor's name. */
export const anchorNameOf = (jobName: string) => `${jobName}${ANCHOR_SUFFIX}`;

export const jobNameOf = (anchorName: string) => anchorName.slice(0, -ANCHOR_SUFFIX.length);

const ANCHOR_SUFFIX = '.signalbox';

export const podNameOf = (jobName: string, role: string, index: number) =>
  `${jobName}-${roleKey(role)}-${index}`;

/** Default id of a job's workflow: one live job per name. */
export const workflowIdOf = (job: { readonly namespace: string; readonly name: string }) =>
  `job/${job.namespace}/${job.name}`;
