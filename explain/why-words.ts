import { NODE_CLASSES } from '../contracts/node-classes.ts';
import type { Who } from '../contracts/reasons.ts';
import type {
  NodeClass,
  ShapePlacement,
  ShortNode,
  Waited,
  WaitReason,
  WhyAnswer,
} from '../contracts/types.ts';
import { formatDuration } from '../language/duration.ts';
import { isHostPort } from './host-ports.ts';
import { nodesText, ofShape } from './rule.ts';

/** How an answer reads: the command line and the console say the same. */

/** Who can change what a reason names. */
export const WHO_CAN_CHANGE: Readonly<Record<Who, string>> = {
  you: 'you can',
  administrator: 'an administrator of the cluster can',
  either: 'you can, e.g. if a name is wrong; an administrator of the cluster can, too',
  nobody: 'wait, or free what it needs',
  unknown: 'not known, because it is not computed here',
};

/** Of an answer without reasons. */
export const fitText = ({ fits, placements }: Pick<WhyAnswer, 'fits' | 'placements'>): string =>
  fits === 'yes'
    ? 'The pods find room: it would start at once.'
    : placements.length > 0
      ? 'Nothing is found that would keep it waiting; whether its pods find room is not known.'
      : 'Nothing is found that would keep it waiting.';

export const heldByText = ({ heldBy = [] }: Pick<WaitReason, 'heldBy'>): string =>
  heldBy.map(({ who, amount }) => `${who} ${amount}`).join(', ');

export const sparesText = ({ wanted, placed, why }: NonNullable<WhyAnswer['spares']>): string =>
  `${placed} of ${wanted} hold a place${why === undefined ? '' : `; ${why}`}`;

/** What it waited for so far; waits of less than a second are none. */
export const waitedTexts = ({ waited = [] }: Pick<WhyAnswer, 'waited'>): readonly string[] =>
  waited.filter(({ seconds }) => seconds > 0).map(waitedText);

const waitedText = ({ reason, seconds, times }: Waited): string =>
  `${formatDuration(seconds * 1000)} for ${reason}${times > 1 ? `, ${times} times` : ''}`;

/** The head of a placement; `placements`: of the whole answer. */
export function placementText(
  { roles, pods, requests, room, isExact, nodes }: ShapePlacement,
  { placements }: Pick<WhyAnswer, 'placements'>,
): string {
  const alone = placements.length > 1 ? ', if only these are placed' : '';
  const { pods: _one, ...each } = requests;
  const amounts = Object.entries(each).map(([resource, amount]) => `${amount} ${resource}`);
  const what = `${pods} ${ofShape({ roles })} pod${pods === 1 ? '' : 's'}${amounts.length > 0 ? `, each ${amounts.join(', ')}` : ''}`;
  const found = room === undefined ? '' : `: room for ${room}${isExact ? '' : ' at most'}${alone}`;
  return `${what}${found}; of ${nodesText(nodes)}`;
}

/** What a class of nodes is, as it follows "nodes that". */
export const nodeClassText = ({ class: name, detail }: Pick<NodeClass, 'class' | 'detail'>): string =>
  `${NODE_CLASSES[name]}${detail ? ` (${detail})` : ''}`;

/** What each term and taint excludes by itself; a hint that a reason has already is not repeated. */
export const excludedTexts = (
  { excludedBy }: ShapePlacement,
  { reasons }: Pick<WhyAnswer, 'reasons'>,
): readonly string[] =>
  excludedBy.map(
    ({ term, nodes, hint }) =>
      `${term} alone excludes ${nodes}${hint && !isSaid(hint, reasons) ? `; ${hint}` : ''}`,
  );

const isSaid = (words: string, reasons: readonly WaitReason[]): boolean =>
  reasons.some(({ sentence }) => sentence.includes(words));

const MOST_SHORT = 3;

/** The nodes that lack least. */
export const shortTexts = ({ short }: ShapePlacement): readonly string[] =>
  short.slice(0, MOST_SHORT).map(shortText);

const shortText = ({ node, resource, needs, free, total }: ShortNode): string =>
  isHostPort(resource)
    ? `${node}: ${resource} is in use`
    : `${node}: ${free} of its ${total} ${resource} free, a pod needs ${needs}`;
