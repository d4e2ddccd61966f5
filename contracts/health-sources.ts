import type { HealthVerdict } from './node-notice.ts';

/**
 * What tools that watch machines write on a Node, and what it means. One row for each fact; a new source is some rows here.
 * docs/health.md is generated from them.
 */

/** What of a Node. */
export const HEALTH_KINDS = ['condition', 'taint', 'label', 'annotation', 'resource'] as const;

/** How a value says when a node goes. */
export const TIME_FORMS = ['unixSeconds', 'rfc3339'] as const;

/** A fact that a source writes on a Node. In `key` and `reason`, `*` stands for any text. */
export interface HealthRow {
  readonly kind: (typeof HEALTH_KINDS)[number];
  /** Type of the condition, key of the taint, label or annotation, name of the resource. */
  readonly key: string;
  /** The bad status of a condition, which each source chooses for itself; bad values of the others, by default any. */
  readonly is?: readonly string[];
  /** Only a condition with this reason. */
  readonly reason?: string;
  /** `nothing`: known, and no reason to do anything, also where a row below matches it. */
  readonly means: HealthVerdict | 'nothing';
  /** The value says when the node goes. */
  readonly time?: (typeof TIME_FORMS)[number];
  /** If nothing says when: how long the source usually leaves the node from then on, in milliseconds. */
  readonly leadMs?: number;
}

export interface HealthSource {
  readonly name: string;
  readonly rows: readonly HealthRow[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

type More = Omit<HealthRow, 'kind' | 'key' | 'is' | 'means'>;

const conditions = (
  status: 'True' | 'False',
  means: HealthRow['means'],
  types: readonly string[],
  more: More = {},
): readonly HealthRow[] => types.map((key) => ({ kind: 'condition', key, is: [status], means, ...more }));

const sickIfTrue = (...types: readonly string[]) => conditions('True', 'Sick', types);

const taint = (key: string, means: HealthRow['means'], leadMs?: number): HealthRow => ({
  ...{ kind: 'taint', key, means },
  ...(leadMs === undefined ? {} : { leadMs }),
});

const label = (
  key: string,
  is: readonly string[] | undefined,
  means: HealthRow['means'],
  more: More = {},
): HealthRow => ({ kind: 'label', key, ...(is ? { is } : {}), means, ...more });

/** A row counts before those below it: exact keys stand before patterns. */
export const HEALTH_SOURCES: readonly HealthSource[] = [
  {
    name: 'Kubernetes',
    rows: [
      taint('node.cloudprovider.kubernetes.io/shutdown', 'Leaving', 30 * SECOND),
      // Less is allocatable than the node has: the plugin of the device holds back what is broken.
      { kind: 'resource', key: '*/*', means: 'Sick' },
    ],
  },
  {
    name: 'node-problem-detector',
    rows: [
      ...sickIfTrue('KernelDeadlock', 'XfsShutdown', 'CperHardwareErrorFatal', 'ReadonlyFilesystem'),
      ...sickIfTrue('CorruptDockerOverlay2', 'KubeletUnhealthy', 'ContainerRuntimeUnhealthy', 'NTPProblem'),
      ...sickIfTrue('FrequentUnregisterNetDevice', 'Frequent*Restart'),
    ],
  },
  {
    name: 'NVSentinel',
    rows: [
      ...sickIfTrue('GpuMemWatch', 'GpuPcieWatch', 'GpuNvlinkWatch', 'GpuInforomWatch', 'GpuThermalWatch'),
      ...sickIfTrue('GpuPowerWatch', 'GpuDriverWatch', 'SysLogsXIDError', 'SysLogsSXIDError'),
      ...sickIfTrue('RepeatedXIDErrorOnSameGPU', 'MultipleRemediations'),
      ...conditions('True', 'Leaving', ['CSPMaintenance'], { leadMs: 10 * MINUTE }),
      label('dgxc.nvidia.com/nvsentinel-state', ['remediating'], 'InRepair'),
      label(
        'dgxc.nvidia.com/nvsentinel-state',
        ['quarantined', 'draining', 'drain-succeeded', 'drain-failed', 'remediation-failed'],
        'Sick',
      ),
      // A person has overruled it.
      { kind: 'annotation', key: 'quarantinedNodeUncordonedManually', is: ['True'], means: 'nothing' },
      { kind: 'annotation', key: 'quarantineHealthEventIsCordoned', is: ['True'], means: 'Sick' },
      // Checks with names of their own.
      ...conditions('True', 'Sick', ['*'], { reason: '*IsNotHealthy' }),
    ],
  },
  {
    name: 'EKS node monitoring agent',
    rows: [
      ...conditions('False', 'Sick', ['AcceleratedHardwareReady'], { leadMs: 10 * MINUTE }),
      ...conditions(
        'False',
        'Sick',
        ['KernelReady', 'NetworkingReady', 'StorageReady', 'ContainerRuntimeReady'],
        { leadMs: 30 * MINUTE },
      ),
    ],
  },
  { name: 'Karpenter', rows: [taint('karpenter.sh/disrupted', 'Leaving', 2 * MINUTE)] },
  {
    name: 'cluster-autoscaler',
    rows: [
      taint('ToBeDeletedByClusterAutoscaler', 'Leaving', 2 * MINUTE),
      // It may yet stay, and only nodes that are nearly idle are candidates.
      taint('DeletionCandidateOfClusterAutoscaler', 'nothing'),
    ],
  },
  {
    name: 'GKE',
    rows: [
      label('cloud.google.com/scheduled-maintenance-time', undefined, 'Leaving', { time: 'unixSeconds' }),
      label('cloud.google.com/active-node-maintenance', ['ONGOING'], 'Leaving', { leadMs: MINUTE }),
      taint('cloud.google.com/impending-node-termination', 'Leaving', 30 * SECOND),
    ],
  },
  {
    name: 'AWS node termination handler',
    rows: [
      taint('aws-node-termination-handler/spot-itn', 'Leaving', 2 * MINUTE),
      taint('aws-node-termination-handler/scheduled-maintenance', 'Leaving', 5 * MINUTE),
      taint('aws-node-termination-handler/asg-lifecycle-termination', 'Leaving', 2 * MINUTE),
      // The machine is likelier to go than others: it may stay for days.
      taint('aws-node-termination-handler/rebalance-recommendation', 'nothing'),
    ],
  },
  {
    name: 'AKS',
    rows: [
      ...conditions('True', 'Leaving', ['VMEventScheduled'], { leadMs: 10 * MINUTE }),
      ...sickIfTrue('FilesystemCorruptionProblem', 'KubeletProblem', 'ContainerRuntimeProblem'),
      ...sickIfTrue('GPUMissing', 'NVLinkStatusInactive', 'XIDErrors', 'IBLinkFlapping'),
      taint('remediator.kubernetes.azure.com/unschedulable', 'Leaving', 2 * MINUTE),
    ],
  },
  {
    name: 'OCI',
    rows: [
      label('oci.oraclecloud.com/host.maintenance.state', ['SCHEDULED'], 'Leaving', {
        leadMs: 10 * MINUTE,
      }),
      label('oci.oraclecloud.com/host.maintenance.state', ['IN_PROGRESS'], 'InRepair'),
      label('oci.oraclecloud.com/host.health', ['UNHEALTHY'], 'Sick'),
      label('oci.oraclecloud.com/host.fault.*', undefined, 'Sick'),
      ...sickIfTrue('oci.oraclecloud.com/MaintenanceFault', 'GpuEcc', 'GpuRowRemap', 'GpuBus', 'GpuCount'),
      ...sickIfTrue('GpuPcie', 'GpuXid', 'RdmaLink', 'RdmaLinkFlapping', 'NvlinkSpeed', 'DcgmiHealth'),
      ...conditions('True', 'Sick', ['*'], { reason: '*HasIssues' }),
    ],
  },
  {
    name: 'HyperPod',
    rows: [
      label('sagemaker.amazonaws.com/node-health-status', ['UnschedulablePendingReplacement'], 'Leaving', {
        leadMs: 5 * MINUTE,
      }),
      label('sagemaker.amazonaws.com/node-health-status', ['UnschedulablePendingReboot'], 'InRepair'),
      label('sagemaker.amazonaws.com/node-health-status', ['Unschedulable'], 'Sick'),
      label('sagemaker.amazonaws.com/deep-health-check-status', ['Failed'], 'Sick'),
      label('sagemaker.amazonaws.com/deep-health-check-status', ['InProgress'], 'InRepair'),
    ],
  },
  {
    name: 'AMD GPU operator',
    rows: [
      taint('amd-gpu-unhealthy', 'Sick'),
      { kind: 'taint', key: 'amd-dcm', is: ['up'], means: 'InRepair' },
    ],
  },
  {
    name: 'NVIDIA GPU operator',
    rows: [
      // It waits for the jobs of a node if it is told so: what is only required has no time.
      label('nvidia.com/gpu-driver-upgrade-state', ['upgrade-required'], 'nothing'),
      label(
        'nvidia.com/gpu-driver-upgrade-state',
        ['pod-deletion-required', 'drain-required', 'pod-restart-required'],
        'InRepair',
      ),
      label('nvidia.com/gpu-driver-upgrade-state', ['upgrade-failed'], 'Sick'),
    ],
  },
  {
    name: 'kured',
    rows: [
      {
        kind: 'annotation',
        key: 'weave.works/kured-reboot-in-progress',
        means: 'Leaving',
        leadMs: 2 * MINUTE,
      },
      // Since when it waits for its turn.
      { kind: 'annotation', key: 'weave.works/kured-most-recent-reboot-needed', means: 'nothing' },
    ],
  },
  { name: 'Meta GCM', rows: sickIfTrue('Gcm*Problem') },
];
