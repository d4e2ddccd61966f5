import { ApiError } from '../../../cluster/errors.ts';
import { listAll } from '../../../cluster/list-all.ts';
import { eachUnendedPod, listNodes } from '../../../cluster/list-capacity.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { type KubeObject, NAMESPACES, type Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { Neighbours } from '../../../explain/neighbours.ts';
import { NodeUsage, type OwnJob } from '../../../explain/node-usage.ts';
import { preemptsBelow } from '../../../explain/preemption.ts';
import { QuotaClaimants } from '../../../explain/quota-claimants.ts';
import type { OwnPod, ShapedBy } from '../../../explain/shape.ts';
import type { ClusterView } from '../../../explain/situation.ts';
import type { Namespaces } from '../../../explain/topology-terms.ts';
import { type Gang, Gangs } from '../../../queue/gang.ts';
import { lineOf } from '../../../queue/line.ts';

interface ReadNodes {
  readonly view: Pick<
    ClusterView,
    'nodes' | 'isUsageKnown' | 'holders' | 'claimants' | 'line' | 'neighbours' | 'neighbourPods'
  >;
  /** What decides which pods are equal: anti-affinities of others that are about them, and namespaces that they choose. */
  readonly by: Pick<ShapedBy, 'repelling' | 'namespaces'>;
}

/** Reads what nodes have, and what pods of all namespaces use of it: page by page, keeping only sums. */
export async function readNodes(
  reading: Reading,
  own: OwnJob & {
    readonly pods: readonly OwnPod[];
    readonly gatedUid?: string;
    /** Whether a scheduler looks at its pods before there is room. */
    readonly preempts: boolean;
  },
): Promise<ReadNodes> {
  const { gatedUid, pods } = own;
  const gangs = new GangsOfEach();
  const namespaces = await readNamespaces(reading);
  const neighbours = new Neighbours(pods, { job: own, namespaces });
  const usage = new NodeUsage(own, {
    ...{ isLasting: neighbours.isLasting, preemptsBelow: own.preempts ? preemptsBelow(pods) : undefined },
  });
  const claimants = new QuotaClaimants(own);
  const listed = await reading.orElse(
    listNodes(reading.cluster),
    undefined,
    'whether the pods find room is not computed: nodes may not be listed',
  );
  if (!listed) return { view: { isUsageKnown: false, holders: [] }, by: { namespaces } };
  const isUsageKnown = await reading.orElse(
    addAll(reading, (pod) => {
      usage.add(pod);
      claimants.add(pod);
      neighbours.add(pod);
      if (gatedUid !== undefined) gangs.add(pod);
    }),
    false,
    'what is free is not computed: pods of all namespaces may not be listed',
  );
  const now = Date.now();
  const nodes = neighbours.withRepelling(listed.map((node) => usage.view(node, now)));
  const line = gatedUid === undefined ? undefined : lineOf(gangs.besides(gatedUid), gatedUid);
  const view = {
    ...{ nodes, isUsageKnown, holders: usage.holders, claimants: claimants.all },
    ...(isUsageKnown ? { neighbours: neighbours.counts, neighbourPods: neighbours.holders } : {}),
    ...(line ? { line } : {}),
  };
  return { view, by: { repelling: neighbours.repelling, namespaces } };
}

/** Terms may choose namespaces by their labels. */
async function readNamespaces({ cluster }: Reading): Promise<Namespaces> {
  try {
    const { objects } = await listAll<KubeObject>(cluster, { resource: NAMESPACES, metadataOnly: true });
    return new Map(objects.map(({ metadata: { name, labels = {} } }) => [name, labels]));
  } catch (error) {
    // Only of a term that does it is it said that this is not computed.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function addAll({ cluster }: Reading, add: (pod: Pod) => void): Promise<true> {
  for await (const pod of eachUnendedPod(cluster)) add(pod);
  return true;
}

/** Gated gangs by installation: each decides about the order of its own, and gangs of others are pods like any. */
class GangsOfEach {
  readonly #gangs = new Map<string | undefined, Gangs>();

  add(pod: Pod): void {
    const installation = pod.metadata.labels?.[LABELS.installation];
    const known = this.#gangs.get(installation) ?? new Gangs();
    this.#gangs.set(installation, known);
    known.add(pod);
  }

  /** Returns the gangs of the installation that has this one. */
  besides(uid: string): readonly Gang[] {
    const all = [...this.#gangs.values()].map((gangs) => gangs.all);
    return all.find((gangs) => gangs.some((gang) => gang.uid === uid)) ?? [];
  }
}
