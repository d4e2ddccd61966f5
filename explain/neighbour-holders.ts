import type { WaitReason } from '../contracts/types.ts';
import { ownValue } from '../language/fields.ts';
import { heldByPods } from './held-by.ts';
import type { Packed } from './pack.ts';
import type { Placement } from './placement.ts';
import type { ClusterView, NodeView } from './situation.ts';
import { selectorKey } from './topology-terms.ts';

type Cluster = Pick<ClusterView, 'nodes' | 'neighbourPods'>;

/** Names whose pods decide by where they are: of the terms that limit the pods of a job, else of anti-affinities of others. */
export function heldByNeighbours(
  { limitedTerms }: Packed,
  placement: Placement,
  cluster: Cluster,
): Pick<WaitReason, 'heldBy'> {
  return limitedTerms
    ? heldByPods(
        limitedTerms.flatMap(({ of, topologyKey }) =>
          podsOf(selectorKey(of), topologyKey, { placement, cluster }),
        ),
      )
    : heldByRepelling(placement, cluster);
}

/** Names whose pods bear none of the job beside them. */
export const heldByRepelling = (placement: Placement, cluster: Cluster): Pick<WaitReason, 'heldBy'> =>
  heldByPods(repellingPods(placement, cluster));

function repellingPods(placement: Placement, cluster: Cluster) {
  const names = new Set(placement.shapes.flatMap(({ shape, pods }) => (pods > 0 ? shape.repelledBy : [])));
  // A name begins with the label that makes domains.
  return [...names].flatMap((name) => podsOf(name, name.split(' ')[0]!, { placement, cluster }));
}

interface Looked {
  readonly placement: Placement;
  readonly cluster: Cluster;
}

/** Of a kind, in the domains of nodes that match: those of others are none that the pods could use. */
function podsOf(of: string, topologyKey: string, { placement, cluster }: Looked) {
  const { nodes = [], neighbourPods = [] } = cluster;
  const domainOf = ({ labels }: NodeView) => ownValue(labels, topologyKey);
  const usable = placement.shapes
    .filter(({ pods }) => pods > 0)
    .flatMap(({ judged }) => judged.flatMap(({ node, class: name }) => (MATCHING.has(name) ? [node] : [])));
  const values = new Set(usable.map(domainOf).filter((value) => value !== undefined));
  const there = new Set(nodes.filter((node) => values.has(domainOf(node) ?? '')).map(({ name }) => name));
  return neighbourPods.filter((one) => one.of === of && there.has(one.node));
}

const MATCHING: ReadonlySet<string> = new Set(['room', 'full', 'beingFreed', 'reserved', 'repelled']);
