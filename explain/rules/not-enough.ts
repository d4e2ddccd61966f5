import { multiplyAmounts, subtractAmounts } from '../../contracts/pod-requests.ts';
import { addQuantities, amountText, largerQuantity, type Quantity, ZERO } from '../../contracts/quantity.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import { neededOf } from '../gang-amounts.ts';
import { heldBy } from '../held-by.ts';
import { amountIn, isHostPort, portRemedy } from '../host-ports.ts';
import { heldByNeighbours, heldByRepelling } from '../neighbour-holders.ts';
import type { Judged } from '../node-class.ts';
import type { Placement } from '../placement.ts';
import { freeOf, shortageIn } from '../room.ts';
import { amountOfText, minimumText, nodesText, originText, podsText, waitReason } from '../rule.ts';
import type { ShapeOnNodes } from '../shape-placement.ts';
import type { ClusterView, Demand, PodShape, Situation } from '../situation.ts';

/** Pods find too little room on nodes that match. */
export function notEnough(placement: Placement, { cluster, demand }: Situation): WaitReason {
  const { needed, now, minimum } = placement;
  const isGang = demand.minMember > 1 && minimum === undefined;
  const found = `${minimumText(minimum)}${now.isExact ? '' : 'at least '}${now.placed} of the ${podsText(needed)} that ${isGang ? 'must find room at once find' : 'wait find'} it now${repelledText(placement)}`;
  const said = whatIsSaid(demand, cluster);
  if (now.limitedBy)
    return waitReason('NotEnoughRoom', `${found}: ${now.limitedBy}`, {
      ...roomNumbers(placement),
      ...heldByNeighbours(now, placement, cluster),
      ...said,
    });
  const scarce = scarcest(placement);
  if (!scarce)
    return waitReason('NotEnoughRoom', found, {
      ...roomNumbers(placement),
      ...heldByNeighbours(now, placement, cluster),
      ...said,
    });
  const { resource, each, free, most, nodes, on } = scarce;
  const total = neededOf(resource, placement.waiting);
  const isPort = isHostPort(resource);
  const scattered = free.nanos >= total.nanos ? '. Enough in sum, not in pieces' : '';
  const sums = `the job needs ${amountOfText(total, resource)} now; ${nodesText(nodes)} that match have ${amountText(free)} free in sum, at most ${amountText(most)} on one${scattered}`;
  return waitReason(
    'NotEnoughRoom',
    isPort
      ? `${found}: ${portText(scarce)}`
      : `${sums}: ${found}, each needs ${amountText(each)}${originText(demand, resource)}`,
    {
      ...{ resource, needs: amountText(total), has: amountText(free) },
      ...together(heldBy(cluster, resource, on), heldByRepelling(placement, cluster)),
      ...said,
      ...(isPort ? { remedy: `Wait until others end. ${portRemedy('the pod template')}` } : {}),
    },
  );
}

type Held = Pick<WaitReason, 'heldBy'>;

/** A node may be full, and another one kept free of the pods. */
const together = ({ heldBy: one = [] }: Held, { heldBy: other = [] }: Held): Held =>
  one.length + other.length === 0 ? {} : { heldBy: [...one, ...other] };

function portText({ resource, nodes, free }: Scarce): string {
  const used = nodes - Number(amountText(free));
  return `each needs ${resource} of its node, which ${used} of the ${nodesText(nodes)} that match ${used === 1 ? 'has' : 'have'} in use`;
}

/** Of the pods that are kept from most nodes. */
function repelledText({ shapes }: Placement): string {
  const counts = shapes.map(({ pods, judged }) =>
    pods > 0 ? judged.filter(({ class: name }) => name === 'repelled').length : 0,
  );
  const most = Math.max(0, ...counts);
  return most > 0 ? `; podAntiAffinity of other pods keeps them from ${nodesText(most)}` : '';
}

/** The words of those who decide, and since when they say so. */
export function whatIsSaid({ waiting }: Demand, { group }: ClusterView): Pick<WaitReason, 'said' | 'since'> {
  const words = waiting.flatMap(({ scheduler }) => scheduler ?? []);
  const since = words.flatMap((word) => word.since ?? []).sort()[0];
  return withoutUndefined({
    since,
    said: words[0]?.message ?? (group?.scheduled === 'True' ? undefined : group?.message),
  });
}

const roomNumbers = ({ needed, now }: Placement) => ({
  needs: podsText(needed),
  has: podsText(now.placed),
});

interface Scarce {
  readonly resource: string;
  /** Of one pod. */
  readonly each: Quantity;
  /** On the nodes that match, in sum and at most on one. */
  readonly free: Quantity;
  readonly most: Quantity;
  readonly nodes: number;
  /** Their names. */
  readonly on: ReadonlySet<string>;
}

/** Returns the resource that keeps the most nodes from taking a pod. */
function scarcest({ shapes }: Placement): Scarce | undefined {
  const votes = new Map<string, { count: number; of: ShapeOnNodes }>();
  for (const of of shapes.filter(({ pods }) => pods > 0)) {
    for (const one of of.judged) {
      const resource = OPEN.has(one.class) ? lacking(one, of.shape) : undefined;
      if (resource === undefined) continue;
      const vote = votes.get(resource) ?? { count: 0, of };
      vote.count += 1;
      votes.set(resource, vote);
    }
  }
  const [best] = [...votes].sort(([a, x], [b, y]) => y.count - x.count || a.localeCompare(b, 'en'));
  if (!best) return undefined;
  const [resource, { of }] = best;
  const open = of.judged.filter(({ class: name }) => OPEN.has(name)).map(({ node }) => node);
  const free = open.map((node) => positive(amountIn(freeOf(node, 'now'), resource)));
  const on = new Set(open.map(({ name }) => name));
  const sum = free.reduce(addQuantities, ZERO);
  const most = free.reduce(largerQuantity, ZERO);
  return { resource, each: of.shape.requests.get(resource)!, free: sum, most, nodes: free.length, on };
}

/** Returns what keeps a node from one pod more than it has room for. */
const lacking = ({ node, room }: Judged, shape: PodShape): string | undefined =>
  shortageIn(subtractAmounts(freeOf(node, 'now'), multiplyAmounts(shape.requests, room)), shape);

/** Nodes that match and are in service. */
const OPEN: ReadonlySet<string> = new Set(['full', 'beingFreed', 'reserved', 'room']);

const positive = (amount: Quantity): Quantity => (amount.nanos < 0n ? ZERO : amount);
