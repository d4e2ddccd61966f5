import type { GangSchedulerName } from './gang-schedulers.ts';
import { gangSchedulerNames } from './gang-schedulers.ts';
import { DEFAULT_KUBERNETES_VERSION, type KubernetesVersion } from './kubernetes-versions.ts';
import type { FixedPorts } from './ports.ts';
import type { ProgressReport } from './report.ts';
import type { NodeTimes, Options, SandboxGangOptions, SandboxState } from './state.ts';

const DEFAULTS: Options = {
  kubernetes: DEFAULT_KUBERNETES_VERSION,
  durable: true,
  localNode: true,
  realNodes: false,
  nodeTimes: 'quick',
  simulatedNodes: { count: 0, gpusPerNode: 0, cpusPerNode: 64 },
  gang: [],
  permitWaitingTimeSeconds: 10,
  endlessRestarts: false,
};

/** Takes each option from this request, else from the last one, else from the defaults. */
export function mergeOptions(requested: SandboxOptions, last: Options = DEFAULTS): Options {
  return {
    kubernetes: requested.kubernetes ?? last.kubernetes,
    durable: requested.durable ?? last.durable,
    localNode: requested.localNode ?? last.localNode,
    gpus: requested.gpus ?? last.gpus,
    realNodes: requested.realNodes ?? last.realNodes,
    nodeTimes: requested.nodeTimes ?? last.nodeTimes,
    simulatedNodes: {
      count: requested.simulatedNodes ?? last.simulatedNodes.count,
      gpusPerNode: requested.gpusPerNode ?? last.simulatedNodes.gpusPerNode,
      cpusPerNode: requested.cpusPerNode ?? last.simulatedNodes.cpusPerNode,
    },
    gang: gangSchedulerNames.filter((name) => (requested.gang ?? last.gang).includes(name)),
    permitWaitingTimeSeconds: requested.permitWaitingTimeSeconds ?? last.permitWaitingTimeSeconds,
    auditPolicy: requested.auditPolicy ?? last.auditPolicy,
    endlessRestarts: requested.endlessRestarts ?? last.endlessRestarts,
  };
}

/** Adds new gang schedulers to those of a running sandbox, which keep their configuration. */
export function withNewGangSchedulers(requested: SandboxOptions, running: Options): SandboxGangOptions {
  const wanted = mergeOptions(requested, running);
  const configured = running.gang.includes('coscheduling') ? running : wanted;
  return {
    gang: gangSchedulerNames.filter((name) => running.gang.includes(name) || wanted.gang.includes(name)),
    permitWaitingTimeSeconds: configured.permitWaitingTimeSeconds,
  };
}

/** Returns a sentence for each requested option that a running sandbox cannot change. */
export function explainPending(
  requested: SandboxOptions,
  { options, ports }: Pick<SandboxState, 'options' | 'ports'>,
): string[] {
  const has: string[] = [];
  const { simulatedNodes: nodes } = options;
  if (requested.localNode === false && options.localNode) has.push('a local node');
  if (options.localNode && (requested.gpus ?? options.gpus) !== options.gpus)
    has.push(`a local node with ${options.gpus ?? 'the machine’s'} GPUs`);
  if ((requested.realNodes ?? options.realNodes) !== options.realNodes)
    has.push(options.realNodes ? 'what real nodes need' : 'nothing of what real nodes need');
  if (requested.durable !== undefined && requested.durable !== options.durable)
    has.push(options.durable ? 'fsync on' : 'fsync off');
  if ((requested.auditPolicy ?? options.auditPolicy) !== options.auditPolicy)
    has.push(options.auditPolicy ? `an audit log by ${options.auditPolicy}` : 'no audit log');
  if ((requested.endlessRestarts ?? options.endlessRestarts) !== options.endlessRestarts)
    has.push(`${options.endlessRestarts ? 'no' : 'a'} limit of restarts`);
  if (requested.simulatedNodes !== undefined && requested.simulatedNodes < nodes.count)
    has.push(`${nodes.count} simulated nodes`);
  has.push(...options.gang.filter((name) => requested.gang !== undefined && !requested.gang.includes(name)));
  const permit = options.permitWaitingTimeSeconds;
  if (options.gang.includes('coscheduling') && (requested.permitWaitingTimeSeconds ?? permit) !== permit)
    has.push(`a permit waiting time of ${permit} s`);
  for (const [name, port] of Object.entries(requested.ports ?? {}) as [
    keyof typeof ports,
    number | undefined,
  ][]) {
    if (port !== undefined && port !== ports[name])
      has.push(`its ${name} port at ${ports[name]}, not ${port}`);
  }
  const sentences = has.map(
    (what) => `the running sandbox has ${what}: to change that, run \`signalbox sandbox down\` first`,
  );
  const capacityDiffers =
    (requested.gpusPerNode ?? nodes.gpusPerNode) !== nodes.gpusPerNode ||
    (requested.cpusPerNode ?? nodes.cpusPerNode) !== nodes.cpusPerNode;
  if ((requested.kubernetes ?? options.kubernetes) !== options.kubernetes)
    sentences.push(
      `the running sandbox and its data have Kubernetes ${options.kubernetes}: to change that, run \`signalbox sandbox reset\` first`,
    );
  if (nodes.count > 0 && capacityDiffers)
    sentences.push(
      'simulated nodes that exist keep their GPUs and CPUs; only new ones get what was asked for',
    );
  return sentences;
}

export interface SandboxOptions {
  /** Default: SIGNALBOX_SANDBOX_DIR, else `.signalbox/sandbox` of this checkout. */
  readonly dir?: string;
  /** Default: SIGNALBOX_SANDBOX_KUBERNETES, else that of the last start, else 1.36. Data stay with their version. */
  readonly kubernetes?: KubernetesVersion;
  /** False: no fsync, for throwaway sandboxes. Default true. */
  readonly durable?: boolean;
  /** A node whose pods are processes of this machine. Default true. */
  readonly localNode?: boolean;
  /** How many nvidia.com/gpu the local node pretends to have. Default: it offers those that the machine has. */
  readonly gpus?: number;
  /** Prepares the control plane for nodes with a kubelet (real-node/cluster.ts starts them). Default false. */
  readonly realNodes?: boolean;
  /** When real nodes count as silent, and how long they wait before a restart in place. Default `quick`. */
  readonly nodeTimes?: NodeTimes;
  /** How many nodes kwok simulates. Default 0. */
  readonly simulatedNodes?: number;
  /** Default 0. */
  readonly gpusPerNode?: number;
  /** Default 64. */
  readonly cpusPerNode?: number;
  /** Gang schedulers beside Kubernetes' own. Default none. */
  readonly gang?: readonly GangSchedulerName[];
  /** How long Coscheduling holds nodes for an incomplete gang. Default 10. */
  readonly permitWaitingTimeSeconds?: number;
  /** Path of an audit policy (audit.k8s.io/v1). The API server writes `logs/audit.log` by it. */
  readonly auditPolicy?: string;
  /** Restarts components however often they die, for tests that kill them. Default false. */
  readonly endlessRestarts?: boolean;
  readonly ports?: FixedPorts;
  readonly report?: ProgressReport;
}
