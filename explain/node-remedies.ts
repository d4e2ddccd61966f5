import type { Taint } from '../contracts/kubernetes.ts';
import { capitalised } from '../language/capitalised.ts';
import { nearest, nearestQualified } from '../language/did-you-mean.ts';
import type { Judged } from './node-class.ts';
import { keepingTaints, type NodeTerm, taintText, termsOf, valuesOf } from './node-terms.ts';
import { freeOf, roomIn } from './room.ts';
import { ofShape } from './rule.ts';
import type { ShapeOnNodes } from './shape-placement.ts';
import type { NodeView, PodShape } from './situation.ts';

/** What the author of the manifest can do, and what an administrator can. */
interface Remedy {
  readonly you?: string;
  readonly administrator?: string;
}

/** What keeps pods from nodes. */
interface Barrier extends Pick<NodeTerm, 'isMet'> {
  readonly isTaint: boolean;
  /** `helped`: the nodes that it keeps pods from, and that would take one without it and what else is mended. */
  remedy(helped: readonly NodeView[]): Remedy;
}

/** Of those of which none alone helps. */
const MOST_BARRIERS = 2;
const MOST_VALUES = 3;
const MOST_NODES = 3;

/**
 * Says what lets pods of a shape onto nodes that they may not use now. What keeps them from all nodes has to go; of the rest, what alone
 * keeps them from nodes with room. Pods that name certain nodes are meant for these: their taints come first, also before the nodes
 * among these that are out of service.
 */
export function nodeRemedies({ shape, judged }: Pick<ShapeOnNodes, 'shape' | 'judged'>): readonly Remedy[] {
  const nodes = judged.map(({ node }) => node);
  const barriers = barriersOf(shape, nodes).map((barrier) => {
    const excluded = nodes.filter((node) => barrier.isMet(node) === false);
    return { ...barrier, excluded };
  });
  const count = new Map<NodeView, number>();
  for (const node of barriers.flatMap(({ excluded }) => excluded))
    count.set(node, (count.get(node) ?? 0) + 1);
  const found = barriers
    .filter(({ excluded }) => excluded.length > 0)
    .map((one) => ({
      ...one,
      gain: one.excluded.filter((node) => count.get(node) === 1 && hasRoom(node, shape)).length,
    }));
  const ofAll = found.filter(({ excluded }) => excluded.length === nodes.length);
  const [alone] = found
    .filter(({ gain }) => gain > 0)
    .toSorted((a, b) => Number(b.isTaint) - Number(a.isTaint) || b.gain - a.gain);
  const most = found.toSorted((a, b) => b.excluded.length - a.excluded.length).slice(0, MOST_BARRIERS);
  const ofNodes = ofState(judged);
  const ofTaints = alone?.isTaint ? [alone] : [];
  const chosen = ofNodes.length > 0 ? ofTaints : ofAll.length > 0 ? ofAll : alone ? [alone] : most;
  const others = found.filter((one) => !chosen.includes(one));
  const isHelped = (node: NodeView) =>
    hasRoom(node, shape) && others.every(({ isMet }) => isMet(node) !== false);
  return [...chosen.map(({ remedy, excluded }) => remedy(excluded.filter(isHelped))), ...ofNodes];
}

const hasRoom = (node: NodeView, shape: PodShape): boolean => roomIn(freeOf(node, 'empty'), shape) > 0;

function barriersOf(shape: PodShape, nodes: readonly NodeView[]): readonly Barrier[] {
  const where = `the ${ofShape(shape)} template`;
  const terms = termsOf(shape).map((term) => ({
    ...{ isMet: term.isMet, isTaint: false },
    remedy: (helped: readonly NodeView[]) => ofTerm(term, { nodes, helped, where }),
  }));
  const taints = Map.groupBy(keepingTaints(shape, nodes), ({ taint }) => taintText(taint));
  const ofTaints = [...taints.values()].map((kept) => ({
    ...{ isMet: isNoneOf(kept), isTaint: true },
    remedy: ([helped]: readonly NodeView[]) => ofTaint(kept[0]!.taint, helped, where),
  }));
  return [...terms, ...ofTaints];
}

function isNoneOf(kept: readonly { readonly node: NodeView }[]): Barrier['isMet'] {
  const nodes = new Set(kept.map(({ node }) => node));
  return (node) => !nodes.has(node);
}

interface Where {
  readonly nodes: readonly NodeView[];
  readonly helped: readonly NodeView[];
  readonly where: string;
}

function ofTerm({ text, label, claim }: NodeTerm, { nodes, helped, where }: Where): Remedy {
  if (claim) return { you: `use another claim than ${claim}, whose volume ties the pods to its nodes` };
  if (!label) return { you: `change ${text} in ${where}, or remove it` };
  const { key, values } = label;
  const isThere = nodes.some(({ labels }) => Object.hasOwn(labels, key));
  const example = helped.find(({ labels }) => !Object.hasOwn(labels, key)) ?? helped[0];
  return {
    you: isThere
      ? otherValue({ text, key, values }, { nodes, where })
      : otherKey({ text, key, values }, { nodes, where }),
    ...(label.isSettable && example
      ? { administrator: `label nodes, e.g. ${labelling(example, key, values)}` }
      : {}),
  };
}

function labelling({ name, labels }: NodeView, key: string, [value = 'true']: readonly string[]): string {
  const overwrite = Object.hasOwn(labels, key) ? ' --overwrite' : '';
  return `\`kubectl label node ${name} ${key}=${value}${overwrite}\``;
}

interface Written {
  readonly text: string;
  readonly key: string;
  readonly values: readonly string[];
}

function otherValue(
  { text, key, values }: Written,
  { nodes, where }: Pick<Where, 'nodes' | 'where'>,
): string {
  const there = valuesOf(key, nodes).filter((value) => !values.includes(value));
  const near = values.flatMap((value) => nearest(value, there) ?? [])[0];
  if (near !== undefined) return `write ${near} for the value in ${text} of ${where}`;
  const has = there.slice(0, MOST_VALUES).join(', ');
  return `change ${text} in ${where}${has && `, e.g. to a value that nodes have (${has})`}, or remove it`;
}

function otherKey({ text, key, values }: Written, { nodes, where }: Pick<Where, 'nodes' | 'where'>): string {
  const near = nearestQualified(key, [...new Set(nodes.flatMap(({ labels }) => Object.keys(labels)))]);
  if (near === undefined) return `remove ${text} from ${where}`;
  const there = valuesOf(near, nodes);
  const isOther = values.length > 0 && !values.some((value) => there.includes(value));
  const other = isOther ? `, with a value that nodes have (${there.slice(0, MOST_VALUES).join(', ')})` : '';
  return `write ${near} for the key in ${text} of ${where}${other}`;
}

function ofTaint({ key, value, effect }: Taint, helped: NodeView | undefined, where: string): Remedy {
  const toleration = value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
  return {
    you: `add to tolerations of ${where}: ${JSON.stringify(toleration)}`,
    ...(helped
      ? {
          administrator: `remove the taint: \`kubectl taint node ${helped.name} ${key}${value ? `=${value}` : ''}:${effect}-\``,
        }
      : {}),
  };
}

/** Nodes that are out of service, and might come back. */
function ofState(judged: readonly Judged[]): readonly Remedy[] {
  const namesOf = (name: Judged['class']) =>
    judged.filter((one) => one.class === name && one.empty > 0).map(({ node }) => node.name);
  const [cordoned, notReady] = [namesOf('cordoned'), namesOf('notReady')];
  return [
    ...(cordoned.length > 0
      ? [
          {
            administrator: `open them again: \`kubectl uncordon ${cordoned.slice(0, MOST_NODES).join(' ')}\``,
          },
        ]
      : []),
    ...(notReady.length > 0
      ? [
          {
            administrator: `repair node ${notReady[0]}: \`kubectl describe node ${notReady[0]}\` says what it lacks`,
          },
        ]
      : []),
  ];
}

/** Puts what each can do into sentences. */
export function remediesText(remedies: readonly Remedy[]): string {
  const yours = remedies.flatMap(({ you }) => you ?? []);
  const theirs = remedies.flatMap(({ administrator }) => administrator ?? []);
  const own = yours.length > 0 ? `${capitalised(yours.join(', and '))}.` : '';
  if (theirs.length === 0) return own;
  const others = `an administrator of the cluster can ${theirs.join(', and ')}.`;
  return own ? `${own} Or ${others}` : capitalised(others);
}
