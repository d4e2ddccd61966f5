import type { FailureAdvice, FailureError } from '../../contracts/types.ts';
import { shorten } from '../../language/shorten.ts';
import type { PastFailure } from './past-failures.ts';

/** What the last failures, which are alike, have in common. */
interface Alike {
  readonly failures: readonly PastFailure[];
  readonly class: NonNullable<FailureError['class']>;
  readonly nodes: readonly string[];
}

interface Rule {
  readonly blames: FailureAdvice['blames'];
  readonly isFor: (alike: Alike) => boolean;
  /** How many failures it takes, if it is known that the job made no progress between them; else one more. */
  readonly least: number;
  readonly says: (alike: Alike) => string;
}

const isOneOf =
  (...classes: readonly Alike['class'][]) =>
  (alike: Alike): boolean =>
    classes.includes(alike.class);
const isOnOneNode = ({ nodes }: Alike) => nodes.length === 1;
const isOnSeveral = ({ nodes }: Alike) => nodes.length > 1;

/** The first that applies counts. */
const RULES: readonly Rule[] = [
  {
    blames: 'program',
    isFor: isOneOf('code'),
    least: 2,
    says: () => 'it is the program or its settings, not a node; another restart will end alike',
  },
  {
    blames: 'data',
    isFor: (alike) => isOneOf('data')(alike) && !isOnOneNode(alike),
    least: 2,
    says: () => 'it is the data or the program, not a node; another restart will end alike',
  },
  {
    blames: 'node',
    isFor: (alike) => isOnOneNode(alike) && isOneOf('GPU', 'host')(alike),
    least: 2,
    says: ({ nodes: [node] }) =>
      `look at node ${node}, and keep pods away from it: \`kubectl cordon ${node}\``,
  },
  {
    blames: 'node',
    isFor: isOnOneNode,
    least: 3,
    says: ({ nodes: [node] }) =>
      `node ${node} was in all of them; \`kubectl describe node ${node}\` shows its state. On another node it would show whether it is the program`,
  },
  {
    blames: 'surroundings',
    isFor: (alike) => isOnSeveral(alike) && isOneOf('network', 'storage')(alike),
    least: 2,
    says: () =>
      'it is what the nodes share, the network or the storage, or how the program uses it; not one node',
  },
  {
    blames: 'program',
    isFor: (alike) => isOnSeveral(alike) && isOneOf('memory', 'unknown')(alike),
    least: 2,
    says: () => 'it is the program or its settings, not a node',
  },
];

/**
 * Returns what failures in a row point to, the earliest first: only of those that ended alike, at the same rank or at several at
 * once, and without progress between them. It decides nothing.
 */
export function adviceOf(failures: readonly PastFailure[] = []): FailureAdvice | undefined {
  const last = failures.at(-1);
  if (!last || last.error.class === 'cascade') return undefined;
  const since = failures.findLastIndex(
    (one, at) => at < failures.length - 1 && !isRepeated(one, failures[at + 1]!),
  );
  const alike = describe(failures.slice(since + 1));
  const isKnown = alike.failures.slice(1).every((one, at) => progressed(alike.failures[at]!, one) === false);
  const rule = RULES.find(({ isFor }) => isFor(alike));
  if (!rule || alike.failures.length < rule.least + (isKnown ? 0 : 1)) return undefined;
  return {
    sentence: `${beginning(alike, isKnown)}: ${rule.says(alike)}.`,
    blames: rule.blames,
    failures: alike.failures.length,
    nodes: [...alike.nodes],
  };
}

const isRepeated = (before: PastFailure, after: PastFailure): boolean =>
  before.key === after.key &&
  (before.error.pod === after.error.pod || (before.error.pods > 1 && after.error.pods > 1)) &&
  progressed(before, after) !== true;

/** Undefined if it is not known. */
function progressed(before: PastFailure, after: PastFailure): boolean | undefined {
  if (before.reached !== undefined && after.reached !== undefined) return after.reached > before.reached;
  return after.isWithoutProgress ? false : undefined;
}

function describe(failures: readonly PastFailure[]): Alike {
  const nodes = [...new Set(failures.flatMap(({ error }) => error.node ?? []))];
  const isEachKnown = failures.every(({ error }) => error.node !== undefined);
  return { failures, class: failures.at(-1)!.error.class ?? 'unknown', nodes: isEachKnown ? nodes : [] };
}

function beginning({ failures, nodes }: Alike, isKnown: boolean): string {
  const { error } = failures.at(-1)!;
  const attempts = new Set(failures.map(({ attempt }) => attempt)).size;
  const what = attempts === failures.length ? 'attempts' : 'failures';
  const where =
    nodes.length > 1 ? `, on ${nodes.length} nodes` : nodes.length === 1 ? `, on node ${nodes[0]}` : '';
  const progress = isKnown ? 'without progress between them' : 'and no progress between them is known';
  return `The last ${failures.length} ${what} ended alike, with \`${shorten(error.line.replaceAll('`', "'"), LINE)}\` in ${error.pod}, ${progress}${where}`;
}

const LINE = 80;
