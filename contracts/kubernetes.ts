/**
 * The parts of Kubernetes objects that signalbox reads or writes, in their JSON form (times are RFC 3339 strings,
 * unknown fields are kept). Source: API reference of Kubernetes 1.36, core/v1 and scheduling.k8s.io.
 */

/**
 * The metadata of an object, as in Kubernetes.
 *
 * @public
 */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/**
 * The object that owns another one, as in Kubernetes.
 *
 * @public
 */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Any object of Kubernetes.
 *
 * @public
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface KubeList<T extends KubeObject = KubeObject> {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/**
 * A condition of an object, as in Kubernetes.
 *
 * @public
 */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: Readonly<Record<string, unknown>>;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

export interface ResourceAmounts {
  readonly requests?: Readonly<Record<string, string | number>>;
  readonly limits?: Readonly<Record<string, string | number>>;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly Readonly<Record<string, unknown>>[];
  readonly ports?: readonly ContainerPort[];
  readonly resources?: ResourceAmounts;
  readonly volumeMounts?: readonly object[];
  readonly lifecycle?: { readonly postStart?: object; readonly preStop?: object };
  readonly [field: string]: unknown;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly restartPolicy?: RestartPolicy;
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly serviceAccountName?: string;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly overhead?: ResourceAmounts['requests'];
  readonly resources?: ResourceAmounts;
  readonly volumes?: readonly object[];
  readonly dnsConfig?: { readonly searches?: readonly string[] };
  readonly terminationGracePeriodSeconds?: number;
  readonly schedulingGroup?: { readonly podGroupName: string };
  readonly resourceClaims?: readonly {
    readonly name: string;
    readonly resourceClaimName?: string;
    readonly resourceClaimTemplateName?: string;
  }[];
  readonly [field: string]: unknown;
}

export interface PodTemplate {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec: PodSpec;
}

export interface TerminatedState {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: TerminatedState;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
  readonly containerID?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly [field: string]: unknown;
}

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';

export interface PodStatus {
  readonly phase?: PodPhase;
  readonly reason?: string;
  readonly message?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly object[];
  readonly startTime?: string;
  readonly conditions?: readonly Condition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly resourceClaimStatuses?: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly [field: string]: unknown;
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly [field: string]: unknown };
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
  readonly [field: string]: unknown;
}

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly unknown[];
  };
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A kind of object and its path in the API. */
export interface Resource<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Versions in which other clusters serve it, newest first; what is used of it is the same in all. */
  readonly orIn?: readonly string[];
  /** Never set: ties the type of the objects to the resource. */
  readonly of?: T;
}

function resource<T extends KubeObject>(
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced = true,
): Resource<T> {
  return { apiVersion, kind, plural, namespaced };
}

/** Returns e.g. `kubeflow.org` of `kubeflow.org/v1`. */
export const apiGroupOf = (apiVersion: string): string => apiVersion.split('/')[0]!;

/** Names the stream of a kind of objects, e.g. `v1/pods`; of a single namespace `v1/pods in team-a`. */
export const streamOf = ({ apiVersion, plural }: Resource, namespace?: string): string =>
  streamIn(`${apiVersion}/${plural}`, namespace);

export const streamIn = (objects: string, namespace: string | undefined): string =>
  namespace === undefined ? objects : `${objects} in ${namespace}`;

/** Returns the objects of a stream without their namespace: `v1/pods`. */
export const objectsOfStream = (stream: string): string => stream.split(' ', 1)[0]!;

export const PODS = resource<Pod>('v1', 'Pod', 'pods');
export const SERVICES = resource<KubeObject>('v1', 'Service', 'services');
export const CONFIG_MAPS = resource<ConfigMap>('v1', 'ConfigMap', 'configmaps');
export const SECRETS = resource<KubeObject>('v1', 'Secret', 'secrets');
export const EVENTS = resource<KubeObject>('v1', 'Event', 'events');
export const NODES = resource<Node>('v1', 'Node', 'nodes', false);
export const NAMESPACES = resource<KubeObject>('v1', 'Namespace', 'namespaces', false);
export interface Lease extends KubeObject {
  /** `managedFields`: when fields were written, in whole seconds of the API server. */
  readonly metadata: ObjectMeta & { readonly managedFields?: readonly { readonly time?: string }[] };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export const LEASES = resource<Lease>('coordination.k8s.io/v1', 'Lease', 'leases');
export const CUSTOM_RESOURCE_DEFINITIONS = resource<KubeObject>(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
  false,
);
export const VALIDATING_WEBHOOKS = resource<KubeObject>(
  'admissionregistration.k8s.io/v1',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  false,
);
export const ADMISSION_POLICIES_OF_CLUSTER = ['Validating', 'Mutating'].map((what) =>
  resource<KubeObject>(
    'admissionregistration.k8s.io/v1',
    `${what}AdmissionPolicy`,
    `${what.toLowerCase()}admissionpolicies`,
    false,
  ),
);
export const DEPLOYMENTS = resource<KubeObject>('apps/v1', 'Deployment', 'deployments');
export const HORIZONTAL_POD_AUTOSCALERS = resource<HorizontalPodAutoscaler>(
  'autoscaling/v2',
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);
export const SERVICE_ACCOUNTS = resource<KubeObject>('v1', 'ServiceAccount', 'serviceaccounts');
export const ROLES = resource<KubeObject>('rbac.authorization.k8s.io/v1', 'Role', 'roles');
export const ROLE_BINDINGS = resource<KubeObject>(
  'rbac.authorization.k8s.io/v1',
  'RoleBinding',
  'rolebindings',
);
/** Kubernetes' own gang scheduling. */
/** Kubernetes 1.36 serves only v1alpha2, and 1.37 only later versions. */
export const POD_GROUPS: Resource = {
  ...resource<KubeObject>('scheduling.k8s.io/v1alpha2', 'PodGroup', 'podgroups'),
  orIn: ['scheduling.k8s.io/v1beta1'],
};
export const VOLCANO_POD_GROUPS = resource<KubeObject>(
  'scheduling.volcano.sh/v1beta1',
  'PodGroup',
  'podgroups',
);
export const COSCHEDULING_POD_GROUPS = resource<KubeObject>(
  'scheduling.x-k8s.io/v1alpha1',
  'PodGroup',
  'podgroups',
);
export const KUBE_BATCH_POD_GROUPS = resource<KubeObject>(
  'scheduling.incubator.k8s.io/v1alpha1',
  'PodGroup',
  'podgroups',
);

export const VOLCANO_QUEUES = resource<KubeObject>('scheduling.volcano.sh/v1beta1', 'Queue', 'queues', false);

/** What decides whether and where pods run. */
export const RESOURCE_QUOTAS = resource<KubeObject>('v1', 'ResourceQuota', 'resourcequotas');
export const LIMIT_RANGES = resource<KubeObject>('v1', 'LimitRange', 'limitranges');
export const VOLUME_CLAIMS = resource<KubeObject>('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const VOLUMES = resource<KubeObject>('v1', 'PersistentVolume', 'persistentvolumes', false);
export const STORAGE_CLASSES = resource<KubeObject>(
  'storage.k8s.io/v1',
  'StorageClass',
  'storageclasses',
  false,
);
export const CSI_DRIVERS = resource<KubeObject>('storage.k8s.io/v1', 'CSIDriver', 'csidrivers', false);
export const PRIORITY_CLASSES = resource<KubeObject>(
  'scheduling.k8s.io/v1',
  'PriorityClass',
  'priorityclasses',
  false,
);
export const RUNTIME_CLASSES = resource<KubeObject>(
  'node.k8s.io/v1',
  'RuntimeClass',
  'runtimeclasses',
  false,
);
export const RESOURCE_CLAIMS = resource<KubeObject>('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims');
export const RESOURCE_CLAIM_TEMPLATES = resource<KubeObject>(
  'resource.k8s.io/v1',
  'ResourceClaimTemplate',
  'resourceclaimtemplates',
);
export const DEVICE_CLASSES = resource<KubeObject>(
  'resource.k8s.io/v1',
  'DeviceClass',
  'deviceclasses',
  false,
);
/** Kueue's, the newest version first. */
const KUEUE_VERSIONS = ['kueue.x-k8s.io/v1beta2', 'kueue.x-k8s.io/v1beta1'] as const;

export const KUEUE_WORKLOADS = KUEUE_VERSIONS.map((version) =>
  resource<KubeObject>(version, 'Workload', 'workloads'),
);

export const KUEUE_LOCAL_QUEUES = KUEUE_VERSIONS.map((version) =>
  resource<KubeObject>(version, 'LocalQueue', 'localqueues'),
);

/** Its aggregated API, which says in which order Workloads wait: `pendingworkloads` of a queue. */
export const KUEUE_VISIBILITY = (['v1beta2', 'v1beta1'] as const).map((version) =>
  resource<KubeObject>(`visibility.kueue.x-k8s.io/${version}`, 'LocalQueue', 'localqueues'),
);

export const KUEUE_FLAVORS = resource<KubeObject>(
  'kueue.x-k8s.io/v1beta2',
  'ResourceFlavor',
  'resourceflavors',
  false,
);
export const KUEUE_PRIORITY_CLASSES = resource<KubeObject>(
  'kueue.x-k8s.io/v1beta2',
  'WorkloadPriorityClass',
  'workloadpriorityclasses',
  false,
);

export const NETWORK_POLICIES = resource<KubeObject>(
  'networking.k8s.io/v1',
  'NetworkPolicy',
  'networkpolicies',
);

/** Kinds of objects that a job may share among its pods. */
const SHARED_RESOURCES: readonly Resource[] = [
  CONFIG_MAPS,
  SECRETS,
  SERVICES,
  SERVICE_ACCOUNTS,
  ROLES,
  ROLE_BINDINGS,
  NETWORK_POLICIES,
  VOLUME_CLAIMS,
];

/** Returns the resource of a shared object. Throws for other kinds. */
export function sharedResourceOf({ kind }: Pick<KubeObject, 'kind'>): Resource {
  const found = SHARED_RESOURCES.find((resource) => resource.kind === kind);
  if (!found) throw new Error(`a job has no shared objects of kind ${kind}`);
  return found;
}
