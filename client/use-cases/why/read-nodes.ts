import { eachListed, listAll } from '../../../cluster/list-all.ts';
import { NODES, type Node, PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { NodeUsage } from '../../../explain/node-usage.ts';
import type { ClusterView } from '../../../explain/situation.ts';
import { Gangs } from '../../../queue/gang.ts';
import { lineOf } from '../../../queue/line.ts';
import type { Reading } from './reading.ts';

/** Pods that have ended use nothing. */
const UNENDED = 'status.phase!=Succeeded,status.phase!=Failed';

/** Reads what nodes have, and what pods of all namespaces use of it: page by page, keeping only sums. */
export async function readNodes(
  reading: Reading,
  own: { readonly namespace: string; readonly name: string; readonly gatedUid?: string },
): Promise<Pick<ClusterView, 'nodes' | 'isUsageKnown' | 'holders' | 'line'>> {
  const { gatedUid } = own;
  const usage = new NodeUsage(own);
  const gangs = new Gangs();
  const listed = await reading.orElse(
    listAll(reading.cluster, { resource: NODES, trim: trimmed }),
    undefined,
    'whether the pods find room is not computed: nodes may not be listed',
  );
  if (!listed) return { isUsageKnown: false, holders: [] };
  const isUsageKnown = await reading.orElse(
    addAll(reading, (pod) => {
      usage.add(pod);
      if (gatedUid !== undefined) gangs.add(pod);
    }),
    false,
    'what is free is not computed: pods of all namespaces may not be listed',
  );
  const now = Date.now();
  const nodes = listed.objects.map((node) => usage.view(node, now));
  const line = gatedUid === undefined ? undefined : lineOf(gangs.all, gatedUid);
  return { nodes, isUsageKnown, holders: usage.holders, ...(line ? { line } : {}) };
}

/** Most of a node is its list of images. */
const trimmed = ({ metadata: { name, labels }, status, ...node }: Node): Node => ({
  ...node,
  metadata: { name, labels },
  status: { conditions: status?.conditions, allocatable: status?.allocatable },
});

async function addAll({ cluster }: Reading, add: (pod: Pod) => void): Promise<true> {
  const selection = { fieldSelector: UNENDED };
  for await (const pod of eachListed(cluster, { resource: PODS, selection })) add(pod);
  return true;
}
