import { eachUnendedPod, listNodes } from '../../cluster/list-capacity.ts';
import { gpuCountOf, isGpu } from '../../contracts/gpus.ts';
import type { Node, Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { compareText } from '../../language/compare-text.ts';
import type { Servers } from './servers.ts';

/** Who holds GPUs of a node. */
export interface GpuHolder {
  readonly namespace: string;
  /** Absent of a pod that is no job's. */
  readonly job?: string;
  readonly gpus: number;
  /** Whether all pods of the job have a node and are ready: until then they hold what nobody uses. */
  readonly isRunning: boolean;
}

export interface NodeGpus {
  readonly node: string;
  readonly gpus: number;
  readonly holders: readonly GpuHolder[];
}

/** Reads the pods page by page, and keeps of each only what it holds. */
export async function readGpuMap(servers: Servers): Promise<readonly NodeGpus[]> {
  const cluster = await servers.cluster();
  const held: HeldGpus[] = [];
  const [nodes] = await Promise.all([listNodes(cluster), addHeld(eachUnendedPod(cluster), held)]);
  return gpuMapOf(nodes, held);
}

async function addHeld(pods: AsyncIterable<Pod>, held: HeldGpus[]): Promise<void> {
  for await (const pod of pods) held.push(...gpusHeldBy(pod));
}

/** What a pod holds, or will. */
interface HeldGpus {
  readonly node: string | undefined;
  readonly namespace: string;
  readonly job: string | undefined;
  readonly gpus: number;
  readonly isReady: boolean;
  /** The same for all pods of a job. */
  readonly key: string;
}

/** Returns nothing for a pod without GPUs. */
export function gpusHeldBy({ metadata, spec, status }: Pod): readonly HeldGpus[] {
  const { name, namespace = '', labels } = metadata;
  const job = labels?.[LABELS.job];
  const gpus = gpuCountOf(spec ?? {});
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const key = `${namespace}/${job ?? `pod ${name}`}`;
  return gpus > 0
    ? [{ node: spec?.nodeName, namespace, job, gpus, isReady: ready?.status === 'True', key }]
    : [];
}

/** Returns the nodes with GPUs, and who holds them; the emptiest first. */
export function gpuMapOf(nodes: readonly Node[], held: readonly HeldGpus[]): readonly NodeGpus[] {
  const halted = new Set(held.filter(({ isReady }) => !isReady).map(({ key }) => key));
  const byNode = Map.groupBy(held, ({ node }) => node);
  return nodes
    .map(({ metadata: { name }, status }) => ({
      node: name,
      gpus: gpusIn(status?.allocatable ?? {}),
      holders: holdersOf(byNode.get(name) ?? [], halted),
    }))
    .filter(({ gpus }) => gpus > 0)
    .sort((one, other) => freeGpusOf(other) - freeGpusOf(one) || compareText(one.node, other.node));
}

export const freeGpusOf = ({ gpus, holders }: NodeGpus): number =>
  gpus - holders.reduce((sum, holder) => sum + holder.gpus, 0);

const holdersOf = (pods: readonly HeldGpus[], halted: ReadonlySet<string>): readonly GpuHolder[] =>
  [...Map.groupBy(pods, ({ key }) => key)].map(([key, some]) => ({
    namespace: some[0]!.namespace,
    job: some[0]!.job,
    gpus: some.reduce((sum, { gpus }) => sum + gpus, 0),
    isRunning: !halted.has(key),
  }));

const gpusIn = (amounts: object): number =>
  Object.entries(amounts).reduce(
    (sum, [resource, amount]) => sum + (isGpu(resource) ? Number(amount) || 0 : 0),
    0,
  );
