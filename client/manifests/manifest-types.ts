// Generated from the JSON Schemas by `npm run docs`: the client’s public types may not be those of zod.

/**
 * A manifest of any kind.
 *
 * @public
 */
export type TrainingManifest = PyTorchJob | TFJob | XGBoostJob | PaddleJob | JAXJob | MPIJob | MPIJobV2 | PaddleOperatorJob | VolcanoJob | TrainJob;

/**
 * Manifest of kind PyTorchJob, kubeflow.org/v1.
 *
 * @public
 */
export interface PyTorchJob {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v1';
  /** Kind of the job. */
  kind: 'PyTorchJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: PyTorchJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind TFJob, kubeflow.org/v1.
 *
 * @public
 */
export interface TFJob {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v1';
  /** Kind of the job. */
  kind: 'TFJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: TFJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind XGBoostJob, kubeflow.org/v1.
 *
 * @public
 */
export interface XGBoostJob {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v1';
  /** Kind of the job. */
  kind: 'XGBoostJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: XGBoostJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind PaddleJob, kubeflow.org/v1.
 *
 * @public
 */
export interface PaddleJob {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v1';
  /** Kind of the job. */
  kind: 'PaddleJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: PaddleJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind JAXJob, kubeflow.org/v1.
 *
 * @public
 */
export interface JAXJob {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v1';
  /** Kind of the job. */
  kind: 'JAXJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: JAXJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind MPIJob, kubeflow.org/v1.
 *
 * @public
 */
export interface MPIJob {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v1';
  /** Kind of the job. */
  kind: 'MPIJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: MPIJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind MPIJob, kubeflow.org/v2beta1.
 *
 * @public
 */
export interface MPIJobV2 {
  /** API group and version of the kind. */
  apiVersion: 'kubeflow.org/v2beta1';
  /** Kind of the job. */
  kind: 'MPIJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: MPIJobV2Spec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind PaddleJob, batch.paddlepaddle.org/v1.
 *
 * @public
 */
export interface PaddleOperatorJob {
  /** API group and version of the kind. */
  apiVersion: 'batch.paddlepaddle.org/v1';
  /** Kind of the job. */
  kind: 'PaddleJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: PaddleOperatorJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind Job, batch.volcano.sh/v1alpha1.
 *
 * @public
 */
export interface VolcanoJob {
  /** API group and version of the kind. */
  apiVersion: 'batch.volcano.sh/v1alpha1';
  /** Kind of the job. */
  kind: 'Job';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: VolcanoJobSpec;
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Manifest of kind TrainJob, trainer.kubeflow.org/v1alpha1.
 *
 * @public
 */
export interface TrainJob {
  /** API group and version of the kind. */
  apiVersion: 'trainer.kubeflow.org/v1alpha1';
  /** Kind of the job. */
  kind: 'TrainJob';
  metadata: JobMetadata;
  /** What the job runs. */
  spec: TrainJobSpec;
  /** Objects that spec names, as they are to be used; default: those of the cluster at submission. */
  references?: ReferencedObject[];
  /** Ignored: the status that another operator wrote. */
  status?: unknown;
}

/**
 * Settings of signalbox, and annotations of other programs.
 *
 * @public
 */
export interface JobAnnotations {
  /** How failures are handled: YAML; docs/policy.md. */
  'signalbox.dev/policy'?: string;
  /** The gang scheduler of the job; default: that of the worker. */
  'signalbox.dev/gang'?: 'auto' | 'native' | 'volcano' | 'coscheduling' | 'kube-batch' | 'kueue' | 'gated' | 'gated-native' | 'none';
  /** For whom the job is run, e.g. if a pipeline submits it; recorded, not checked. */
  'signalbox.dev/requested-by'?: string;
  /** Only for PyTorchJob: an image with nslookup, in which workers wait for the master. */
  'signalbox.dev/wait-for-master'?: string;
  /** What the job reads: a YAML list of name, uri, digest; docs/attestation.md. */
  'signalbox.dev/inputs'?: string;
  /** What the job makes: a YAML list of name, uri, digest; docs/attestation.md. */
  'signalbox.dev/outputs'?: string;
  [field: string]: string | undefined;
}

/**
 * Name, namespace, labels and annotations of the job.
 *
 * @public
 */
export interface JobMetadata {
  /** Name of the job: a DNS label that starts with a letter. Pods and Services are named after it. */
  name: string;
  /** Kubernetes namespace of the job; default: that of the client or the worker. */
  namespace?: string;
  /** Labels of the job. */
  labels?: Record<string, string>;
  /** Annotations of the job. */
  annotations?: JobAnnotations;
  /** What the name begins with, if the manifest has none; for a schedule, the names of its jobs. */
  generateName?: string;
  /** Ignored: the API server sets it. */
  finalizers?: unknown;
  /** Ignored: the API server sets it. */
  ownerReferences?: unknown;
  /** Ignored: the API server sets it. */
  uid?: unknown;
  /** Ignored: the API server sets it. */
  creationTimestamp?: unknown;
  /** Ignored: the API server sets it. */
  deletionTimestamp?: unknown;
  /** Ignored: the API server sets it. */
  deletionGracePeriodSeconds?: unknown;
  /** Ignored: the API server sets it. */
  generation?: unknown;
  /** Ignored: the API server sets it. */
  managedFields?: unknown;
  /** Ignored: the API server sets it. */
  resourceVersion?: unknown;
  /** Ignored: the API server sets it. */
  selfLink?: unknown;
}

/**
 * Deadlines, retries and clean-up of the job.
 *
 * @public
 */
export interface ManifestRunPolicy {
  /** Which pods are removed when the job has ended: All, Running, or None (default). */
  cleanPodPolicy?: 'All' | 'Running' | 'None';
  /** Seconds after the end until everything left in the cluster is deleted; default: never. */
  ttlSecondsAfterFinished?: number;
  /** Seconds that the job may run; then it fails (DeadlineExceeded). Default: no limit. */
  activeDeadlineSeconds?: number;
  /** Restarts after which the job fails; default: no limit. */
  backoffLimit?: number;
  /** What the gang scheduler is asked for. */
  schedulingPolicy?: ManifestSchedulingPolicy;
  /** Start without pods, until the job is resumed. */
  suspend?: boolean;
  /** The controller of the job. A job of another controller is refused. */
  managedBy?: string;
}

/**
 * What the gang scheduler is asked for; docs/gang-scheduling.md.
 *
 * @public
 */
export interface ManifestSchedulingPolicy {
  /** Pods that must be placed together; default: all, or minReplicas of an elastic job. */
  minAvailable?: number;
  /** Queue of the gang scheduler. */
  queue?: string;
  /** Replaces what the pods request, by resource. */
  minResources?: Record<string, ManifestQuantity>;
  /** Priority class of the group. */
  priorityClass?: string;
  /** Seconds after which Coscheduling releases what it holds and tries again. */
  scheduleTimeoutSeconds?: number;
}

/**
 * A Kubernetes quantity, e.g. 4, 500m or 8Gi; not negative.
 *
 * @public
 */
export type ManifestQuantity = number | string;

/**
 * Lets the number of workers change while the job runs.
 *
 * @public
 */
export interface PyTorchElasticPolicy {
  /** Workers that are enough to run; default: maxReplicas. */
  minReplicas?: number;
  /** Most workers; default: minReplicas. */
  maxReplicas?: number;
  /** Restarts of the workers that the launcher allows. */
  maxRestarts?: number;
  /** What a HorizontalPodAutoscaler scales by; only for jobs that are custom resources. */
  metrics?: unknown[];
  /** Rendezvous backend of torchrun; default: c10d. */
  rdzvBackend?: string;
  /** Port of the rendezvous. */
  rdzvPort?: number;
  /** Host of the rendezvous; default: the first worker. */
  rdzvHost?: string;
  /** Id of the rendezvous. */
  rdzvId?: string;
  /** Settings of the rendezvous backend. */
  rdzvConf?: RendezvousSetting[];
  /** Each pod meets only itself. */
  standalone?: boolean;
  /** Deprecated; use spec.nprocPerNode. */
  nProcPerNode?: number;
}

/**
 * A setting of the rendezvous backend.
 *
 * @public
 */
export interface RendezvousSetting {
  /** Name of the setting. */
  key: string;
  /** Value of the setting. */
  value: string;
}

/**
 * The role Master.
 *
 * @public
 */
export interface PyTorchJobMaster {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * Labels and annotations of the pods.
 *
 * @public
 */
export interface ManifestPodMetadata {
  /** Labels of the pods. */
  labels?: Record<string, string>;
  /** Annotations of the pods. */
  annotations?: Record<string, string>;
  [field: string]: unknown;
}

/**
 * A container, with any field that Kubernetes knows.
 *
 * @public
 */
export interface ManifestContainer {
  /** Name of the container: a DNS label. */
  name: string;
  /** Image of the container. */
  image: string;
  /** The program and its first arguments; default: the image’s. */
  command?: string[];
  /** Arguments of the program; default: the image’s. */
  args?: string[];
  /** Variables; one that signalbox sets too keeps this value. */
  env?: ManifestEnvVar[];
  /** Ports; the one with the kind’s name is the rendezvous. */
  ports?: ManifestContainerPort[];
  /** ConfigMaps and Secrets whose keys become variables. */
  envFrom?: Record<string, unknown>[];
  /** Volumes of the pod that the container sees. */
  volumeMounts?: ManifestVolumeMount[];
  /** What the container requests and may use at most. */
  resources?: ResourceRequirements;
  /** Directory in which the program starts. */
  workingDir?: string;
  /** When the image is pulled. */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /** User, groups and capabilities. */
  securityContext?: Record<string, unknown>;
  [field: string]: unknown;
}

/**
 * A variable of a container.
 *
 * @public
 */
export interface ManifestEnvVar {
  /** Name of the variable. */
  name: string;
  /** Its value; text, so quote numbers and booleans. */
  value?: string;
  [field: string]: unknown;
}

/**
 * A port of a container.
 *
 * @public
 */
export interface ManifestContainerPort {
  /** Name of the port: lower-case letters, digits and single dashes. */
  name?: string;
  /** Number of the port. */
  containerPort: number;
  /** Default: TCP. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  [field: string]: unknown;
}

/**
 * Where a container sees a volume.
 *
 * @public
 */
export interface ManifestVolumeMount {
  /** Name of the volume. */
  name: string;
  /** Where the container sees it. */
  mountPath: string;
  /** Whether the container may only read it. */
  readOnly?: boolean;
  /** A folder inside of the volume. */
  subPath?: string;
  [field: string]: unknown;
}

/**
 * What a container requests and may use at most.
 *
 * @public
 */
export interface ResourceRequirements {
  /** What the scheduler reserves, e.g. cpu: 4, memory: 8Gi. */
  requests?: Record<string, ManifestQuantity>;
  /** What it may use at most, e.g. nvidia.com/gpu: 8. */
  limits?: Record<string, ManifestQuantity>;
  [field: string]: unknown;
}

/**
 * A volume of the pod: name and one source, e.g. persistentVolumeClaim.
 *
 * @public
 */
export interface ManifestVolume {
  /** Name of the volume. */
  name: string;
  [field: string]: unknown;
}

/**
 * The pod, with any field that Kubernetes knows.
 *
 * @public
 */
export interface ManifestPodSpec {
  /** Containers; the one with the kind’s name, else the first, runs the program. */
  containers: ManifestContainer[];
  /** Containers that run before the others. */
  initContainers?: ManifestContainer[];
  /** Volumes that containers can mount. */
  volumes?: ManifestVolume[];
  /** What the whole pod requests and may use at most. */
  resources?: ResourceRequirements;
  /** What the runtime of the pod needs in addition. */
  overhead?: Record<string, ManifestQuantity>;
  /** Decides only for a PaddleJob of paddle-operator; for other kinds, the role decides. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  /** Labels that a node must have. */
  nodeSelector?: Record<string, string>;
  /** Taints that the pods tolerate. */
  tolerations?: Record<string, unknown>[];
  /** Rules for the choice of nodes. */
  affinity?: Record<string, unknown>;
  /** Service account of the pods. */
  serviceAccountName?: string;
  /** Scheduler of the pods; it also chooses the gang scheduler. */
  schedulerName?: string;
  /** Priority class of the pods. */
  priorityClassName?: string;
  /** Seconds between SIGTERM and SIGKILL; default: 30. */
  terminationGracePeriodSeconds?: number;
  /** Secrets for the registry of the images. */
  imagePullSecrets?: Record<string, unknown>[];
  /** The pods use the network of their node. */
  hostNetwork?: boolean;
  /** User and groups of all containers. */
  securityContext?: Record<string, unknown>;
  [field: string]: unknown;
}

/**
 * The template of the pods of a role.
 *
 * @public
 */
export interface ManifestPodTemplate {
  metadata?: ManifestPodMetadata;
  /** The pod. */
  spec: ManifestPodSpec;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface PyTorchJobWorker {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a PyTorchJob.
 *
 * @public
 */
export interface PyTorchJobRoles {
  Master?: PyTorchJobMaster;
  Worker?: PyTorchJobWorker;
}

/**
 * What a PyTorchJob runs.
 *
 * @public
 */
export interface PyTorchJobSpec {
  runPolicy?: ManifestRunPolicy;
  /** Processes that torchrun starts in each pod: auto (default), cpu, gpu, or a number. */
  nprocPerNode?: number | string;
  /** Lets the number of workers change while it runs. */
  elasticPolicy?: PyTorchElasticPolicy;
  /** The roles, whose names may be in any case; at least one. */
  pytorchReplicaSpecs: PyTorchJobRoles;
}

/**
 * The role Chief.
 *
 * @public
 */
export interface TFJobChief {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Evaluator.
 *
 * @public
 */
export interface TFJobEvaluator {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Master.
 *
 * @public
 */
export interface TFJobMaster {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role PS.
 *
 * @public
 */
export interface TFJobPS {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface TFJobWorker {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a TFJob.
 *
 * @public
 */
export interface TFJobRoles {
  Chief?: TFJobChief;
  Evaluator?: TFJobEvaluator;
  Master?: TFJobMaster;
  PS?: TFJobPS;
  Worker?: TFJobWorker;
}

/**
 * What a TFJob runs.
 *
 * @public
 */
export interface TFJobSpec {
  runPolicy?: ManifestRunPolicy;
  /** Which workers must succeed: AllWorkers; default: the first one. */
  successPolicy?: '' | 'AllWorkers';
  /** Workers may join and leave while the job runs. */
  enableDynamicWorker?: boolean;
  /** The roles, whose names may be in any case; at least one. */
  tfReplicaSpecs: TFJobRoles;
}

/**
 * The role Master.
 *
 * @public
 */
export interface XGBoostJobMaster {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface XGBoostJobWorker {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a XGBoostJob.
 *
 * @public
 */
export interface XGBoostJobRoles {
  Master: XGBoostJobMaster;
  Worker?: XGBoostJobWorker;
}

/**
 * What a XGBoostJob runs.
 *
 * @public
 */
export interface XGBoostJobSpec {
  runPolicy?: ManifestRunPolicy;
  /** The roles, whose names may be in any case; at least one. */
  xgbReplicaSpecs: XGBoostJobRoles;
}

/**
 * Lets the number of workers change while the job runs.
 *
 * @public
 */
export interface PaddleElasticPolicy {
  /** Workers that are enough to run; default: maxReplicas. */
  minReplicas?: number;
  /** Most workers; default: minReplicas. */
  maxReplicas?: number;
  /** Restarts of the workers that the launcher allows. */
  maxRestarts?: number;
  /** What a HorizontalPodAutoscaler scales by; only for jobs that are custom resources. */
  metrics?: unknown[];
}

/**
 * The role Master.
 *
 * @public
 */
export interface PaddleJobMaster {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface PaddleJobWorker {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a PaddleJob.
 *
 * @public
 */
export interface PaddleJobRoles {
  Master?: PaddleJobMaster;
  Worker?: PaddleJobWorker;
}

/**
 * What a PaddleJob runs.
 *
 * @public
 */
export interface PaddleJobSpec {
  runPolicy?: ManifestRunPolicy;
  elasticPolicy?: PaddleElasticPolicy;
  /** The roles, whose names may be in any case; at least one. */
  paddleReplicaSpecs: PaddleJobRoles;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface JAXJobWorker {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a JAXJob.
 *
 * @public
 */
export interface JAXJobRoles {
  Worker: JAXJobWorker;
}

/**
 * What a JAXJob runs.
 *
 * @public
 */
export interface JAXJobSpec {
  runPolicy?: ManifestRunPolicy;
  /** The roles, whose names may be in any case; at least one. */
  jaxReplicaSpecs: JAXJobRoles;
}

/**
 * The role Launcher.
 *
 * @public
 */
export interface MPIJobLauncher {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface MPIJobWorker {
  /** Number of pods of the role; default: 0. */
  replicas?: number;
  /** Which failures are retried; ExitCode: codes from 128 on are. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a MPIJob.
 *
 * @public
 */
export interface MPIJobRoles {
  Launcher: MPIJobLauncher;
  Worker?: MPIJobWorker;
}

/**
 * What a MPIJob runs.
 *
 * @public
 */
export interface MPIJobSpec {
  runPolicy?: ManifestRunPolicy;
  /** Processes per worker, as the host list says. */
  slotsPerWorker?: number;
  /** The container of a worker in which processes start. */
  mainContainer?: string;
  /** Former place of runPolicy.cleanPodPolicy, which takes precedence. */
  cleanPodPolicy?: 'All' | 'Running' | 'None';
  /** The roles, whose names may be in any case; at least one. */
  mpiReplicaSpecs: MPIJobRoles;
}

/**
 * The role Launcher.
 *
 * @public
 */
export interface MPIJobV2Launcher {
  /** Number of pods of the role; default: 1. */
  replicas?: number;
  /** Which failures are retried; default: OnFailure. */
  restartPolicy?: 'Never' | 'OnFailure';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role Worker.
 *
 * @public
 */
export interface MPIJobV2Worker {
  /** Number of pods of the role; default: 0. */
  replicas: number;
  /** Which failures are retried; default: Never. */
  restartPolicy?: 'Never' | 'OnFailure';
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The roles of a MPIJob.
 *
 * @public
 */
export interface MPIJobV2Roles {
  Launcher: MPIJobV2Launcher;
  Worker?: MPIJobV2Worker;
}

/**
 * What a MPIJob runs.
 *
 * @public
 */
export interface MPIJobV2Spec {
  runPolicy?: ManifestRunPolicy;
  /** Processes per worker, as the host list says. */
  slotsPerWorker?: number;
  /** The launcher is on the host list too. */
  runLauncherAsWorker?: boolean;
  /** Where the SSH keys are mounted; the home of the user that runs the program. */
  sshAuthMountPath?: string;
  /** When the launcher is created. */
  launcherCreationPolicy?: 'AtStartup' | 'WaitForWorkersReady';
  /** Which MPI the image has: it decides the variables and the format of the host list. */
  mpiImplementation?: 'OpenMPI' | 'Intel' | 'MPICH';
  /** The roles, whose names may be in any case; at least one. */
  mpiReplicaSpecs: MPIJobV2Roles;
}

/**
 * What Volcano is asked for; docs/gang-scheduling.md.
 *
 * @public
 */
export interface PaddleSchedulingPolicy {
  /** Pods that must be placed together; default: all, or minReplicas of an elastic job. */
  minAvailable?: number;
  /** Queue of the gang scheduler. */
  queue?: string;
  /** Replaces what the pods request, by resource. */
  minResources?: Record<string, ManifestQuantity>;
  /** Priority class of the group. */
  priorityClass?: string;
}

/**
 * The role ps.
 *
 * @public
 */
export interface PaddleOperatorJobPs {
  /** Number of pods of the role. */
  replicas: number;
  /** Ignored, as in paddle-operator. */
  requests?: number;
  /** Ignored, as in paddle-operator. */
  limits?: number;
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role worker.
 *
 * @public
 */
export interface PaddleOperatorJobWorker {
  /** Number of pods of the role. */
  replicas: number;
  /** Ignored, as in paddle-operator. */
  requests?: number;
  /** Ignored, as in paddle-operator. */
  limits?: number;
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * The role heter.
 *
 * @public
 */
export interface PaddleOperatorJobHeter {
  /** Number of pods of the role. */
  replicas: number;
  /** Ignored, as in paddle-operator. */
  requests?: number;
  /** Ignored, as in paddle-operator. */
  limits?: number;
  /** The template of the pods. */
  template: ManifestPodTemplate;
}

/**
 * What a PaddleJob runs.
 *
 * @public
 */
export interface PaddleOperatorJobSpec {
  /** At which end the pods are removed. */
  cleanPodPolicy?: 'Always' | 'Never' | 'OnFailure' | 'OnCompletion';
  /** What the gang scheduler is asked for. */
  schedulingPolicy?: PaddleSchedulingPolicy;
  /** How pods reach each other: by address, by the names of their Services, or on the host network. */
  intranet?: 'PodIP' | 'Service' | 'Host';
  /** Gloo; 0: off; 1: for workers; 2: for workers and servers. */
  withGloo?: 0 | 1 | 2;
  /** Its presence makes the job elastic; the value is not used. */
  elastic?: number;
  ps?: PaddleOperatorJobPs;
  worker?: PaddleOperatorJobWorker;
  heter?: PaddleOperatorJobHeter;
}

/**
 * What follows from an event, or from an exit code.
 *
 * @public
 */
export interface VolcanoPolicy {
  /** The event; * is each of them. */
  event?: 'PodFailed' | 'PodEvicted' | 'TaskCompleted' | 'TaskFailed' | 'JobUpdated' | '*';
  /** Several events. */
  events?: ('PodFailed' | 'PodEvicted' | 'TaskCompleted' | 'TaskFailed' | 'JobUpdated' | '*')[];
  /** The exit code of the first container, instead of an event. */
  exitCode?: number;
  /** What follows. */
  action: 'AbortJob' | 'RestartJob' | 'RestartTask' | 'RestartPod' | 'RestartPartition' | 'TerminateJob' | 'CompleteJob';
  /** Not supported: signalbox acts at once; restart.ladder[].within of signalbox.dev/policy is for pods that may come back. */
  timeout?: unknown;
}

/**
 * A claim that all containers mount.
 *
 * @public
 */
export interface VolcanoVolume {
  /** Where all containers mount it. */
  mountPath: string;
  /** Name of a PersistentVolumeClaim that exists. */
  volumeClaimName?: string;
  /** A claim that is made for the job and goes with it; without effect beside a name. */
  volumeClaim?: VolcanoClaim;
}

/**
 * Spec of a PersistentVolumeClaim.
 *
 * @public
 */
export interface VolcanoClaim {
  /** How nodes may mount it, e.g. ReadWriteMany. */
  accessModes: string[];
  /** Its StorageClass; empty: none. */
  storageClassName?: string;
  /** Filesystem (default) or Block. */
  volumeMode?: string;
  /** The PersistentVolume that it is bound to. */
  volumeName?: string;
  /** Its VolumeAttributesClass. */
  volumeAttributesClassName?: string;
  /** Labels of the PersistentVolume. */
  selector?: unknown;
  /** What it is filled from. */
  dataSource?: unknown;
  /** What it is filled from, of any kind. */
  dataSourceRef?: unknown;
  /** How much it needs: requests.storage. */
  resources: VolcanoClaimResources;
}

/**
 * What a claim asks for.
 *
 * @public
 */
export interface VolcanoClaimRequests {
  /** Its size, e.g. 10Gi. */
  storage: string | number;
}

/**
 * What a claim needs.
 *
 * @public
 */
export interface VolcanoClaimResources {
  /** What it asks for. */
  requests: VolcanoClaimRequests;
  /** The most that it may have. */
  limits?: unknown;
}

/**
 * What Volcano is asked for, by HyperNodes.
 *
 * @public
 */
export interface VolcanoNetworkTopology {
  /** Whether the pods wait for such a place; default: hard. */
  mode?: 'hard' | 'soft';
  /** The highest tier of a HyperNode that may hold them. */
  highestTierAllowed?: number;
  /** The same, by the name of the tier. */
  highestTierName?: string;
}

/**
 * A role of a Job.
 *
 * @public
 */
export interface VolcanoJobRole {
  /** Number of pods of the task. */
  replicas?: number;
  /** The template of the pods. */
  template: ManifestPodTemplate;
  /** Name of the task: a DNS label; default: `default` and its number. */
  name?: string;
  /** Pods of the task that are enough to run; default: replicas. */
  minAvailable?: number;
  /** Restarts of containers in place, of all pods together, at which TaskFailed happens; -1: never; default: 3. */
  maxRetry?: number;
  dependsOn?: VolcanoDependsOn;
  /** What follows from events of the task; before those of the job. */
  policies?: VolcanoPolicy[];
  /** Only none; an annotation of the template asks Volcano for NUMA nodes. */
  topologyPolicy?: '' | 'none';
  /** Pods that belong together; they restart together by RestartPartition. */
  partitionPolicy?: VolcanoPartitionPolicy;
}

/**
 * Tasks that must be ready before the pods are created.
 *
 * @public
 */
export interface VolcanoDependsOn {
  /** Names of the tasks that it waits for. */
  name: string[];
  /** Whether one of those tasks is enough, or all of them must be ready. */
  iteration?: 'any' | 'all';
}

/**
 * How the pods of a task are divided.
 *
 * @public
 */
export interface VolcanoPartitionPolicy {
  /** Partitions of the task. */
  totalPartitions: number;
  /** Pods of each partition. */
  partitionSize: number;
  /** Partitions that are enough to run; default: as many as minAvailable says. */
  minPartitions?: number;
  /** Not supported: keep the pods together by an affinity of their template. */
  networkTopology?: unknown;
}

/**
 * What a Job runs.
 *
 * @public
 */
export interface VolcanoJobSpec {
  /** Pods that must be placed together; default: those that the tasks need. */
  minAvailable?: number;
  /** Queue of Volcano; default: default. */
  queue?: string;
  /** Priority class of the group, and of pods that name none. */
  priorityClassName?: string;
  /** volcano (default): Volcano where the cluster has it; another one places the pods. */
  schedulerName?: string;
  /** Seconds after the end until everything left in the cluster is deleted; default: never. */
  ttlSecondsAfterFinished?: number;
  /** Restarts of the job, and one more; default: 3. */
  maxRetry?: number;
  /** So many succeeded pods complete the job at once. */
  minSuccess?: number;
  /** What follows from events of any task. */
  policies?: VolcanoPolicy[];
  /** Plugins and their arguments: env, ssh, svc, pytorch, tensorflow, mpi, ray, hcclrank. */
  plugins?: Record<string, string[]>;
  /** Claims that all containers mount. */
  volumes?: VolcanoVolume[];
  /** How near to each other Volcano places the pods. */
  networkTopology?: VolcanoNetworkTopology;
  /** The roles, in order; at least one. */
  tasks: VolcanoJobRole[];
}

/**
 * Which runtime a job is made from.
 *
 * @public
 */
export interface TrainJobRuntimeRef {
  /** Name of the runtime. */
  name: string;
  /** Only this group. */
  apiGroup?: 'trainer.kubeflow.org';
  /** ClusterTrainingRuntime (default), or TrainingRuntime of the job’s namespace. */
  kind?: 'ClusterTrainingRuntime' | 'TrainingRuntime';
}

/**
 * What loads the data set, and what loads the model.
 *
 * @public
 */
export interface TrainJobInitializers {
  /** Loads the data set. */
  dataset?: TrainJobInitializer;
  /** Loads the model. */
  model?: TrainJobInitializer;
}

/**
 * What is loaded before the training begins.
 *
 * @public
 */
export interface TrainJobInitializer {
  /** Where it loads from: scheme://... */
  storageUri?: string;
  /** Variables of the initializer. */
  env?: ManifestEnvVar[];
  /** Secret whose keys are variables of the initializer. */
  secretRef?: TrainJobSecretRef;
}

/**
 * A Secret of the job’s namespace.
 *
 * @public
 */
export interface TrainJobSecretRef {
  /** Name of the Secret. */
  name: string;
}

/**
 * What the nodes run.
 *
 * @public
 */
export interface TrainJobTrainer {
  /** Image of the nodes; default: the runtime’s. */
  image?: string;
  /** Program of the nodes; default: the runtime’s. */
  command?: string[];
  /** Arguments of the program; default: the runtime’s. */
  args?: string[];
  /** Variables of the nodes, over those of the runtime. */
  env?: ManifestEnvVar[];
  /** Number of nodes; default: the runtime’s. */
  numNodes?: number;
  /** Resources of each node, over those of the runtime. */
  resourcesPerNode?: ResourceRequirements;
  /** Processes on each node; default: by its resources. */
  numProcPerNode?: number | 'auto' | 'cpu' | 'gpu';
}

/**
 * What is merged into the runtime.
 *
 * @public
 */
export interface TrainJobRuntimePatch {
  /** Who made the patch, e.g. example.com/platform. */
  manager: string;
  /** Ignored: when the patch was made. */
  time?: unknown;
  /** What is merged into the runtime. */
  trainingRuntimeSpec?: TrainJobRuntimeSpecPatch;
}

/**
 * What is merged into the spec of the runtime.
 *
 * @public
 */
export interface TrainJobRuntimeSpecPatch {
  /** Changes of the template of the JobSet. */
  template?: TrainJobJobSetPatch;
}

/**
 * What is merged into the template of the JobSet.
 *
 * @public
 */
export interface TrainJobJobSetPatch {
  /** Labels and annotations of the JobSet. */
  metadata?: TrainJobMetadataPatch;
  /** Changes of the JobSet. */
  spec?: TrainJobJobSetSpecPatch;
}

/**
 * What is merged into labels and annotations.
 *
 * @public
 */
export interface TrainJobMetadataPatch {
  /** Labels, over those of the runtime. */
  labels?: Record<string, string>;
  /** Annotations, over those of the runtime. */
  annotations?: Record<string, string>;
}

/**
 * What is merged into the spec of the JobSet.
 *
 * @public
 */
export interface TrainJobJobSetSpecPatch {
  /** Changes of replicated jobs. */
  replicatedJobs?: TrainJobReplicatedJobPatch[];
}

/**
 * What is merged into the replicated job of that name.
 *
 * @public
 */
export interface TrainJobReplicatedJobPatch {
  /** Name of the replicated job. */
  name: string;
  /** Changes of the template of its Jobs. */
  template?: TrainJobJobTemplatePatch;
}

/**
 * What is merged into the template of the Jobs.
 *
 * @public
 */
export interface TrainJobJobTemplatePatch {
  /** Labels and annotations of the Jobs. */
  metadata?: TrainJobMetadataPatch;
  /** Changes of the Jobs. */
  spec?: TrainJobJobSpecPatch;
}

/**
 * What is merged into the spec of the Jobs.
 *
 * @public
 */
export interface TrainJobJobSpecPatch {
  /** Changes of the template of the pods. */
  template?: TrainJobPodTemplatePatch;
}

/**
 * What is merged into the template of the pods.
 *
 * @public
 */
export interface TrainJobPodTemplatePatch {
  /** Labels and annotations of the pods. */
  metadata?: TrainJobMetadataPatch;
  /** Changes of the pods. */
  spec?: TrainJobPodPatch;
}

/**
 * What is merged into the spec of the pods.
 *
 * @public
 */
export interface TrainJobPodPatch {
  /** Service account of the pods. */
  serviceAccountName?: string;
  /** Volumes that containers can mount. */
  volumes?: PatchedItem[];
  /** Changes of init containers. */
  initContainers?: TrainJobContainerPatch[];
  /** Changes of containers. */
  containers?: TrainJobContainerPatch[];
  /** Secrets for the registry of the images. */
  imagePullSecrets?: PatchedItem[];
  /** User and groups of all containers. */
  securityContext?: Record<string, unknown>;
  /** Labels that a node must have. */
  nodeSelector?: Record<string, string>;
  /** Rules for the choice of nodes. */
  affinity?: Record<string, unknown>;
  /** Taints that the pods tolerate. */
  tolerations?: Record<string, unknown>[];
  /** Gates that hold the pods back from scheduling. */
  schedulingGates?: PatchedItem[];
  /** Seconds between SIGTERM and SIGKILL. */
  terminationGracePeriodSeconds?: number;
}

/**
 * An item of a list, merged by its name, with any field that Kubernetes knows.
 *
 * @public
 */
export interface PatchedItem {
  /** Name of the item. */
  name: string;
  [field: string]: unknown;
}

/**
 * What is merged into the container of that name.
 *
 * @public
 */
export interface TrainJobContainerPatch {
  /** Name of the container. */
  name: string;
  /** Variables, over those of the same name. */
  env?: ManifestEnvVar[];
  /** Volumes that the container sees. */
  volumeMounts?: PatchedVolumeMount[];
  /** User, groups and capabilities. */
  securityContext?: Record<string, unknown>;
}

/**
 * A mount, merged by its path, with any field that Kubernetes knows.
 *
 * @public
 */
export interface PatchedVolumeMount {
  /** Where the container sees the volume. */
  mountPath: string;
  [field: string]: unknown;
}

/**
 * Of Trainer 2.1: changes of pod templates.
 *
 * @public
 */
export interface TrainJobPodTemplateOverride {
  /** Labels and annotations of the pods. */
  metadata?: TrainJobMetadataPatch;
  /** Changes of the pods. */
  spec?: TrainJobPodPatch;
  /** Replicated jobs that are changed. */
  targetJobs?: TrainJobTargetJob[];
}

/**
 * A replicated job that is changed.
 *
 * @public
 */
export interface TrainJobTargetJob {
  /** Name of the replicated job. */
  name: string;
}

/**
 * Of Trainer 2.0: changes of pods.
 *
 * @public
 */
export interface TrainJobPodSpecOverride {
  /** Service account of the pods. */
  serviceAccountName?: string;
  /** Volumes that containers can mount. */
  volumes?: PatchedItem[];
  /** Changes of init containers. */
  initContainers?: TrainJobContainerPatch[];
  /** Changes of containers. */
  containers?: TrainJobContainerPatch[];
  /** Secrets for the registry of the images. */
  imagePullSecrets?: PatchedItem[];
  /** User and groups of all containers. */
  securityContext?: Record<string, unknown>;
  /** Labels that a node must have. */
  nodeSelector?: Record<string, string>;
  /** Rules for the choice of nodes. */
  affinity?: Record<string, unknown>;
  /** Taints that the pods tolerate. */
  tolerations?: Record<string, unknown>[];
  /** Gates that hold the pods back from scheduling. */
  schedulingGates?: PatchedItem[];
  /** Seconds between SIGTERM and SIGKILL. */
  terminationGracePeriodSeconds?: number;
  /** Replicated jobs that are changed. */
  targetJobs?: TrainJobTargetJob[];
}

/**
 * What a TrainJob runs.
 *
 * @public
 */
export interface TrainJobSpec {
  /** The job has no pods until it is resumed. */
  suspend?: boolean;
  /** Seconds after the start, or the last resume, after which the job fails. */
  activeDeadlineSeconds?: number;
  /** The runtime that the job is made from. */
  runtimeRef: TrainJobRuntimeRef;
  /** What is loaded before the training begins. */
  initializer?: TrainJobInitializers;
  trainer?: TrainJobTrainer;
  /** Changes of the runtime for this job. */
  runtimePatches?: TrainJobRuntimePatch[];
  /** Of Trainer 2.1: use runtimePatches. */
  podTemplateOverrides?: TrainJobPodTemplateOverride[];
  /** Of Trainer 2.0: use runtimePatches. */
  podSpecOverrides?: TrainJobPodSpecOverride[];
  /** Of Trainer 2.0 and 2.1: no pod has them. */
  labels?: Record<string, string>;
  /** Of Trainer 2.0 and 2.1: use runtimePatches. */
  annotations?: Record<string, string>;
  /** Who runs the job. */
  managedBy?: 'trainer.kubeflow.org/trainjob-controller';
}

/**
 * An object that spec names, as a cluster has it.
 *
 * @public
 */
export interface ReferencedObject {
  /** API group and version of the object. */
  apiVersion: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object, and further metadata. */
  metadata: ReferencedMetadata;
  [field: string]: unknown;
}

/**
 * Metadata of an object, with any field that Kubernetes knows.
 *
 * @public
 */
export interface ReferencedMetadata {
  /** Name of the object. */
  name: string;
  [field: string]: unknown;
}

/**
 * The document in the annotation signalbox.dev/policy of a manifest; docs/policy.md.
 *
 * @public
 */
export interface JobPolicy {
  restart?: {
    /** Rungs from the smallest to the largest scope; after the last, the job fails. */
    ladder?: {
      /** What restarts: the larger scopes include the smaller ones. */
      scope: 'container' | 'pod' | 'role' | 'gang' | 'gangElsewhere';
      /** Restarts on this rung; default: no limit. */
      times?: number;
      /** A job that is not Running again after this time goes on to the next rung. */
      within?: number | string;
    }[];
    backOff?: {
      /** The first restart is immediate; default: true. */
      firstAtOnce?: boolean;
      /** The first wait; default: 10s. */
      initial?: number | string;
      /** Each wait is this many times the last; default: 2. */
      factor?: number;
      /** The longest wait; default: 5m, or initial if longer. */
      max?: number | string;
      /** Random part of each wait; 0.2: up to a fifth more or less. */
      jitter?: number;
      /** After this time without a restart, waits and ladder start over; default: 10m. */
      resetAfter?: number | string;
    };
    /** Budgets, ladder and waits start over when the job gets further than before. Needs progress. */
    refundOnProgress?: boolean;
    /** How long pods that have not failed may take to end when their gang or role restarts after a failure; default: 2s for pods with neither a grace period nor a preStop hook of their own, without checkpoint. */
    survivorGrace?: number | string;
  };
  failures?: {
    /** They precede the built-in rules. */
    rules?: {
      /** infrastructure, startUp, stalled, userCode, or a name of your own: letters and digits. */
      class: string;
      /** Exit codes from 1 to 255 and ranges of them, e.g. [42, 100-120]. */
      exitCodes?: (number | string)[];
      /** RE2, found in the termination message or in the last lines of the log. */
      pattern?: string;
      /** Reasons of Kubernetes, e.g. [OOMKilled, Evicted], or Deleted. */
      reasons?: string[];
      /** Roles of the job, in any case. */
      roles?: string[];
    }[];
    /** What failures cost, by class. */
    classes?: Record<string, {
      /** The job fails without a restart. */
      final?: boolean;
      /** A restart costs nothing: backoffLimit does not count it. */
      free?: boolean;
      /** Restarts of this class, which backoffLimit then does not count; one more fails the job. */
      budget?: number;
      /** Only for startUp: how long pods may take to start. */
      after?: number | string;
    }>;
  };
  /** How the job reports progress. */
  progress?: {
    /** RE2, searched in each log line of the main pod. Its first group is the progress. */
    log?: string;
    /** Key of an annotation that the program sets on the main pod. */
    annotation?: string;
    /** No report for this long is a failure of class stalled. */
    stalledAfter?: number | string;
    /** Without log and annotation: whether it is a failure of class stalled that the program makes no step for longer than usual; default: as the installation says, else tell. */
    onHang?: 'tell' | 'restart';
  };
  nodes?: {
    /** Pods on a node that was in trouble for this long are lost; default: those that Kubernetes deletes from a silent node, where a new attempt of the gang is safe from them. */
    lostAfter?: number | string;
    /** What counts as trouble; default: NotReady and OutOfService. */
    troubles?: ('NotReady' | 'OutOfService' | 'Cordoned')[];
    /** What the job does on a node that a source of health calls sick, or that is repaired: go on and tell, restart elsewhere, or that after a checkpoint; default: tell. */
    onSick?: 'tell' | 'restart' | 'checkpoint';
    /** The same on a node that goes away, before it does; default: tell. */
    onLeaving?: 'tell' | 'restart' | 'checkpoint';
    /** How long new pods avoid a node after a failure of class infrastructure on it. */
    avoidFor?: number | string;
    /** How many nodes are avoided; default: 5. */
    avoidAtMost?: number;
    /** Deletes pods by force this long after they were told to stop. They may still run; default: only those of a gang on silent nodes, where a new attempt is safe from them. */
    forceDeleteAfter?: number | string;
    /** The job waits for its pods on silent nodes, unless a time above is over; default: false. */
    waitForSilent?: boolean;
  };
  /** How long a gang may wait for its nodes, and what follows. */
  gang?: {
    /** How long an attempt may wait until its gang has nodes; default: for ever. */
    placedWithin?: number | string;
    /** The job fails, or gives back what it holds and waits anew after a pause; default: fail. */
    otherwise?: 'fail' | 'requeue';
    /** When a gated gang is shown to its scheduler: when there is room for it, or as soon as all its pods exist, so that an autoscaler adds nodes for it; default: whenItFits. */
    lift?: 'whenItFits' | 'onQuota';
  };
  lane?: {
    /** The lane; default: the one of the configuration. */
    name?: string;
    /** The larger comes first; default: 0. */
    priority?: number;
    /** How long it runs at most: then it may start before others that it does not delay. */
    runsFor?: number | string;
  };
  spares?: {
    /** How many pods hold a place. */
    count: number;
    /** The role whose pods they are like, in any case; default: the one with the most pods. */
    role?: string;
    /** What their containers run: something that waits; default: [sleep, infinity]. */
    command?: string[];
  };
  refusals?: {
    /** The job fails after being refused for this long; default: 7d. */
    failAfter?: number | string;
  };
  evidence?: {
    /** Last lines of the log of the failed container that are saved; default: 100. */
    logLines?: number;
  };
  /** Keeps failed pods this long for inspection. */
  holdOnFailure?: number | string;
  /** How the program is asked for a checkpoint. */
  checkpoint?: {
    /** A file in every container, alone in its folder; empty until a checkpoint is requested. */
    file?: string;
    /** The signal that asks the program for a checkpoint. */
    signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR1' | 'SIGUSR2';
    /** Time for the checkpoint; default: 5m. */
    within?: number | string;
    /** With file: what says that the checkpoint is written. */
    acknowledgedBy?: {
      /** RE2, found in the log of the main pod when the checkpoint is written. */
      log?: string;
      /** Key of an annotation that the program sets on the main pod. */
      annotation?: string;
    };
  };
  /** Mail address of who owns the job: told what becomes of it, if the installation tells owners. */
  owner?: string;
  /** Scaling may restart the gang if the kind cannot change its size while it runs; default: false. */
  scaleByRestart?: boolean;
  /** A pod has its result when all its containers have ended, not with its main container; default: false. */
  waitForSidecars?: boolean;
}
