import type {
  ConfigMap,
  ContainerStatus,
  Node,
  Pod,
  PodStatus,
  RestartPolicy,
} from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import { HealthTable } from '../../watcher/nodes/health-table.ts';
import { nodeTrimmer } from '../../watcher/nodes/node-facts.ts';

export interface PodChoice {
  readonly job?: string;
  /** Instead of what its labels say. */
  readonly name?: string;
  readonly role?: string;
  readonly index?: number;
  readonly attempt?: number;
  /** uid of its anchor. */
  readonly owner?: string;
  /** Somebody removed the reference to its anchor. */
  readonly hasLostOwner?: boolean;
  readonly installation?: string;
  readonly uid?: string;
  readonly node?: string;
  readonly status?: PodStatus;
  readonly deletedAt?: string;
  readonly namespace?: string;
  readonly avoidsUntil?: number;
  /** Of its deletion: `deletedAt` is so much later than the request. */
  readonly graceSeconds?: number;
  readonly restartPolicy?: RestartPolicy;
  readonly waitsForSidecars?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What it runs; for nodes that run anything. */
  readonly command?: readonly string[];
}

/** A pod as signalbox makes them, and as the API server shows it. */
export function aPod(choice: PodChoice = {}): Pod {
  const { job = 'resnet', role = 'worker', index = 0, attempt = 1, owner = 'anchor-1', status } = choice;
  const { name = `${job}-${role}-${index}` } = choice;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: choice.namespace ?? 'default',
      uid: choice.uid ?? `${name}-${attempt}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: choice.deletedAt,
      deletionGracePeriodSeconds: choice.graceSeconds,
      annotations: choice.annotations,
      labels: {
        [LABELS.job]: job,
        [LABELS.anchorUid]: owner,
        ...(choice.installation ? { [LABELS.installation]: choice.installation } : {}),
        [LABELS.attempt]: String(attempt),
        [LABELS.role]: role,
        [LABELS.index]: String(index),
        [LABELS.pod]: `${job}-${role}-${index}`,
        [LABELS.mainContainer]: 'pytorch',
        ...(choice.waitsForSidecars ? { [LABELS.waitsForSidecars]: 'true' } : {}),
        ...(choice.avoidsUntil ? { [LABELS.avoidsUntil]: String(choice.avoidsUntil) } : {}),
      },
      ownerReferences: choice.hasLostOwner
        ? []
        : [{ apiVersion: 'v1', kind: 'ConfigMap', name: anchorNameOf(job), uid: owner }],
    },
    spec: {
      nodeName: choice.node,
      restartPolicy: choice.restartPolicy,
      containers: [{ name: 'pytorch', image: 'registry.example/train:1', command: choice.command }],
    },
    status: status ?? { phase: 'Pending' },
  };
}

export interface AnchorChoice {
  readonly job?: string;
  readonly uid?: string;
  readonly workflowId?: string;
  /** apiVersion and kind. */
  readonly kind?: string;
  readonly firstRunId?: string;
  readonly phase?: string;
  readonly hostList?: string;
  readonly watch?: WatchRules;
  readonly namespace?: string;
  readonly installation?: string;
  readonly clusterId?: string;
  readonly milestones?: string;
  readonly decidingPod?: string;
  readonly isEnding?: boolean;
  readonly digestHash?: string;
}

export function anAnchor(choice: AnchorChoice = {}): ConfigMap {
  const { job = 'resnet', uid = 'anchor-1', workflowId = `job/default/${job}`, phase = 'Pending' } = choice;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: anchorNameOf(job),
      namespace: choice.namespace ?? 'default',
      uid,
      labels: {
        [LABELS.anchor]: 'true',
        [LABELS.job]: job,
        ...(choice.installation ? { [LABELS.installation]: choice.installation } : {}),
      },
      annotations: {
        ...(choice.clusterId ? { [ANNOTATIONS.clusterId]: choice.clusterId } : {}),
        ...(choice.hostList ? { [ANNOTATIONS.hostList]: choice.hostList } : {}),
        ...(choice.watch ? { [ANNOTATIONS.watch]: JSON.stringify(choice.watch) } : {}),
        [ANNOTATIONS.kind]: choice.kind ?? 'kubeflow.org/v1 PyTorchJob',
        [ANNOTATIONS.mainPod]: `${job}-worker-0`,
        [ANNOTATIONS.workflowId]: workflowId,
        [ANNOTATIONS.phase]: phase,
        ...(choice.milestones ? { [ANNOTATIONS.milestones]: choice.milestones } : {}),
        ...(choice.decidingPod ? { [ANNOTATIONS.decidingPod]: choice.decidingPod } : {}),
        ...(choice.isEnding ? { [ANNOTATIONS.ending]: 'true' } : {}),
        ...(choice.digestHash === undefined ? {} : { [ANNOTATIONS.digest]: choice.digestHash }),
        [ANNOTATIONS.mainContainer]: 'master=pytorch,worker=pytorch',
        ...(choice.firstRunId ? { [ANNOTATIONS.firstRunId]: choice.firstRunId } : {}),
      },
    },
  };
}

export const READY: PodStatus = {
  phase: 'Running',
  conditions: [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'True' },
  ],
};

export const SUCCEEDED: PodStatus = { phase: 'Succeeded' };

export const ended = (
  name: string,
  exitCode: number,
  more: { reason?: string; message?: string; finishedAt?: string; signal?: number } = {},
): ContainerStatus => ({
  name,
  image: 'registry.example/train:1',
  imageID: '',
  ready: false,
  restartCount: 0,
  state: {
    terminated: {
      exitCode,
      reason: exitCode ? 'Error' : 'Completed',
      finishedAt: '2026-01-01T00:01:00Z',
      ...more,
    },
  },
});

export const failed = (...containers: ContainerStatus[]): PodStatus => ({
  phase: 'Failed',
  containerStatuses: containers,
});

export const waitingFor = (reason: string, message?: string): PodStatus => ({
  phase: 'Pending',
  conditions: [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
  ],
  containerStatuses: [{ name: 'pytorch', state: { waiting: { reason, message } } }],
});

export const unschedulable = (message: string): PodStatus => ({
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
});

/** The main container runs. */
export const RUNNING: PodStatus = {
  ...READY,
  containerStatuses: [
    { name: 'pytorch', ready: true, state: { running: { startedAt: '2026-01-01T00:00:30Z' } } },
  ],
};

export interface NodeChoice {
  readonly name?: string;
  readonly ready?: 'True' | 'False' | 'Unknown';
  /** Of its Ready condition. */
  readonly since?: string;
  readonly cordoned?: boolean;
  readonly taints?: readonly { readonly key: string; readonly timeAdded?: string }[];
}

export const aNode = ({ name = 'gpu-1', ready = 'True', ...choice }: NodeChoice = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: {
    unschedulable: choice.cordoned,
    taints: choice.taints?.map((taint) => ({ effect: 'NoExecute', ...taint })),
  },
  status: {
    conditions: [
      { type: 'MemoryPressure', status: 'False' },
      { type: 'Ready', status: ready, lastTransitionTime: choice.since ?? '2026-01-01T00:00:00Z' },
    ],
  },
});

/** With the table that the watcher has without a file. */
export const trimNode = nodeTrimmer(new HealthTable());
