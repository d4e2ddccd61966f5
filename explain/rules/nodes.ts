import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import { multiplyAmounts, subtractAmounts } from '../../contracts/pod-requests.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { type CountedShape, gangNumbers, shortestInSum } from '../gang-amounts.ts';
import { heldByNeighbours } from '../neighbour-holders.ts';
import type { Judged } from '../node-class.ts';
import { nodeRemedies, remediesText } from '../node-remedies.ts';
import type { Packed } from '../pack.ts';
import { byPreemption, isInService, type Placement } from '../placement.ts';
import type { Preempted } from '../preemption.ts';
import { freeOf, shortageIn } from '../room.ts';
import { minimumText, nodesText, ofShape, podsText, type Rule, waitReason } from '../rule.ts';
import { classesOf, excludedBy, type ShapeOnNodes } from '../shape-placement.ts';
import type { Situation } from '../situation.ts';
import { topologyRemedy } from '../topology-remedy.ts';
import { notEnough, whatIsSaid } from './not-enough.ts';

/** Why pods without a node find none. One of these reasons applies at most, and none if they could be placed now. */
export const roomOnNodes: Rule = (situation, placement) => {
  if (!placement || placement.needed === 0 || placement.anywhere.fits === 'no') return [];
  if (placement.shapes.some(({ judged }) => judged.every(isTooSmallAnywhere))) return [];
  if (placement.shapes.some(lacksItsNode)) return [];
  const { matching, inService, together, needed, running, waiting } = placement;
  const said = whatIsSaid(situation.demand, situation.cluster);
  const heldBy = (packed: Packed) => heldByNeighbours(packed, placement, situation.cluster);
  if (matching.fits === 'no')
    return [
      {
        ...noNodeMatches(placement, { packed: matching, wanted: running, pods: together }),
        ...heldBy(matching),
        ...said,
      },
    ];
  if (inService.fits === 'no')
    return [
      {
        ...noNodeMatches(placement, { packed: inService, wanted: waiting, pods: needed }),
        ...heldBy(inService),
        ...said,
      },
    ];
  if (!situation.cluster.isUsageKnown) return [];
  if (isAllPlaced(placement)) return notComputed(placement, situation);
  const found =
    byPreemption(placement) === 'yes' ? preemption : placement.freed.fits === 'yes' ? beingFreed : notEnough;
  return [unlessUncertain(found(placement, situation), placement)];
};

/** That waiting is enough is not known while something that the pods need is not computed. */
function unlessUncertain(reason: WaitReason, placement: Placement): WaitReason {
  const terms = uncomputedTerms(placement, placement.inService);
  if (terms.length === 0) return reason;
  return { ...reason, who: 'unknown', sentence: `${reason.sentence}; ${uncomputedText(terms)}` };
}

/** Or whether they are is not known. */
const isAllPlaced = ({ now, needed }: Placement): boolean => now.fits === 'yes' || now.placed >= needed;

/** Another rule says so: the node that its template names does not exist, or is not ready. */
const lacksItsNode = ({ shape: { nodeName }, pods, judged }: ShapeOnNodes): boolean =>
  nodeName !== undefined &&
  pods > 0 &&
  judged.every(({ node, class: name }) => node.name !== nodeName || name === 'notReady');

const isTooSmallAnywhere = ({ class: name }: Judged) => name === 'tooSmall';

interface Unmatched {
  readonly packed: Packed;
  readonly wanted: readonly CountedShape[];
  readonly pods: number;
}

function noNodeMatches({ shapes, minimum }: Placement, unmatched: Unmatched): WaitReason {
  const { packed, pods } = unmatched;
  const { placed, isExact, limitedBy } = packed;
  const worst = shapes.filter((one) => one.pods > 0).toSorted((a, b) => spare(a) - spare(b))[0]!;
  const away = worst.judged.filter((one) => !isUsable(one));
  const classes = classesOf(away).map(
    ({ class: name, detail, nodes }) => `${nodes} ${NODE_CLASSES[name]}${detail ? ` (${detail})` : ''}`,
  );
  const held =
    usable(worst) === 0
      ? `no node can take a ${ofShape(worst.shape)} pod`
      : `${sumsText(worst, unmatched)}${minimumText(minimum)}the nodes that match hold ${isExact ? '' : 'at least '}${placed} of the ${podsText(pods)} when they are empty`;
  const why = limitedBy ?? (usable(worst) === 0 ? undefined : eachHolds(worst));
  const of = `of ${nodesText(worst.judged.length)}, ${classes.join(', ')}`;
  const hints = hintsOf(worst);
  const remedies = [...ofNumber(worst, { limitedBy, placed }), ...nodeRemedies(worst)];
  const isOfAdministrator = !away.every(isInService) && remedies.every(({ you }) => you === undefined);
  return waitReason(
    'NoNodeMatches',
    [
      held,
      ': ',
      ...(classes.length > 0 ? [of] : []),
      ...(why ? [classes.length > 0 ? '; ' : '', why] : []),
      ...hints,
    ].join(''),
    {
      ...{ needs: podsText(pods), has: podsText(placed) },
      ...(isOfAdministrator ? { who: 'administrator' as const } : {}),
      remedy: remediesText(remedies),
    },
  );
}

/** What is too little of the nodes that match, if they were empty, and that decides: nothing if the place of other pods does. */
function sumsText({ shape, judged }: ShapeOnNodes, { packed, wanted }: Unmatched): string {
  const nodes = judged.filter(isUsable).map(({ node }) => node);
  const own = wanted.filter((one) => one.shape === shape);
  const short = packed.limitedBy ? undefined : shortestInSum(own, { nodes, moment: 'empty' });
  if (!short) return '';
  const { resource, needs, has } = gangNumbers(short);
  const who = own.length < wanted.length ? `the ${ofShape(shape)} pods need` : 'the job needs';
  return `${who} ${needs} ${resource} at once, the nodes that match have ${has}: `;
}

/** Where some nodes can take a pod, but too few do. */
function ofNumber(one: ShapeOnNodes, { limitedBy, placed }: Pick<Packed, 'limitedBy' | 'placed'>) {
  if (usable(one) === 0) return [];
  const you = limitedBy
    ? topologyRemedy({ limitedBy, placed }, [one.shape])
    : `run at most ${podsText(placed)} at once, or request less for each`;
  return [{ you, administrator: 'add nodes that match' }];
}

/** Of what keeps the pods from all nodes, or from most of them. */
const hintsOf = (one: ShapeOnNodes): readonly string[] =>
  excludedBy(one)
    .filter(({ hint }) => hint)
    .map(({ term, hint }) => `; ${term}: ${hint}`);

/** What limits the number of pods on the nodes that match, e.g. their number of pods. */
function eachHolds({ shape, judged }: ShapeOnNodes): string | undefined {
  const open = judged.filter(isUsable);
  const most = open.reduce((best, { empty }) => Math.max(best, empty), 0);
  const fullest = open.find(({ empty }) => empty === most)!;
  const left = subtractAmounts(freeOf(fullest.node, 'empty'), multiplyAmounts(shape.requests, most));
  const resource = shortageIn(left, shape);
  return resource && `each holds at most ${most}, by its ${resource}`;
}

const isUsable = (one: Judged): boolean => one.empty > 0 && isInService(one);

/** How many more of its pods would find room than there are; least where none does. */
const spare = (one: ShapeOnNodes): number =>
  usable(one) === 0
    ? Number.NEGATIVE_INFINITY
    : one.judged.reduce((sum, each) => sum + (isUsable(each) ? each.empty : 0), 0) - one.pods;

const usable = ({ judged }: ShapeOnNodes) => judged.filter(isUsable).length;

function beingFreed({ needed, shapes }: Placement, { cluster }: Situation): WaitReason {
  const names = new Set(shapes.flatMap(({ judged }) => judged.map(({ node }) => node.name)));
  const leaving = (cluster.nodes ?? []).filter(({ name, leaving: gone }) => names.has(name) && gone.size > 0);
  const since = Math.min(...leaving.map(({ leavingSince = Number.POSITIVE_INFINITY }) => leavingSince));
  const what =
    leaving.length > 0
      ? `pods on ${nodesText(leaving.length)} (${namesOf(leaving)}) are being deleted`
      : 'room is reserved for pods that are not placed yet';
  return waitReason('CapacityBeingFreed', `${what}; then the ${podsText(needed)} that wait find room`, {
    ...(Number.isFinite(since) ? { since: new Date(since).toISOString() } : {}),
  });
}

/** The scheduler makes room by itself. */
const preemption = ({ needed, preempted }: Placement, { cluster, demand }: Situation): WaitReason =>
  waitReason(
    'RoomByPreemption',
    `the ${podsText(needed)} that wait find room once the scheduler has removed pods of a lower priority${amongText(preempted)}`,
    whatIsSaid(demand, cluster),
  );

const MOST_NAMED = 5;

/** Which pods go is the choice of the scheduler. */
function amongText({ among = [] }: Preempted = { fits: 'yes' }): string {
  if (among.length === 0) return '';
  const named = among
    .slice(0, MOST_NAMED)
    .map(({ who, priority, pods }) => `${who} (${podsText(pods)}, priority ${priority})`);
  const more = among.length - named.length;
  return `; it chooses among those of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const namesOf = (nodes: readonly { readonly name: string }[]) =>
  [...nodes.slice(0, 3).map(({ name }) => name), ...(nodes.length > 3 ? ['…'] : [])].join(', ');

/** Nodes have what the pods request, but what else limits their place is only known to the scheduler. */
function notComputed(placement: Placement, { demand, cluster }: Situation): readonly WaitReason[] {
  const terms = uncomputedTerms(placement, placement.now);
  if (terms.length === 0 && placement.now.fits === 'yes') return [];
  const why = terms.length > 0 ? `${uncomputedText(terms)}; nothing else keeps the pods from nodes` : ONE_WAY;
  return [waitReason('NotComputed', why, whatIsSaid(demand, cluster))];
}

const ONE_WAY =
  'pods of different sizes all find room if the scheduler chooses the right nodes first; whether it does is not computed here';

/** What of the pods is not computed, where it is not certain that they find a place. */
const uncomputedTerms = ({ shapes }: Placement, { fits }: Packed): readonly string[] => [
  ...new Set(
    shapes.flatMap(({ shape, pods }) =>
      pods > 0
        ? [...(fits === 'yes' ? [] : shape.topology.map(({ kind }) => kind)), ...shape.notComputed]
        : [],
    ),
  ),
];

const uncomputedText = (terms: readonly string[]): string =>
  `whether ${terms.join(', ')} can be met is not computed here`;
