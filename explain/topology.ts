import { ownValue } from '../language/fields.ts';
import type { Around } from './around.ts';
import { everyWay, UNTRIED } from './every-way.ts';
import { fitAlways, type Packed, type Wanted } from './pack.ts';
import { roomIn } from './room.ts';
import type { NodeView } from './situation.ts';
import { selectorKey, type TopologyTerm, termCount } from './topology-terms.ts';

/** What a term allows of the pods that have it. */
interface Limit {
  readonly most: number;
  /** So many are placed whichever nodes a scheduler chooses first. */
  readonly least: number;
  /** In a sentence's words. */
  readonly why: string;
}

/**
 * Lowers what was packed to what affinity between pods and spread constraints allow. That more pods are wanted than a term allows is
 * certain. That all find a place is where they are alike and have one term; else it is tried.
 */
export function withinTopology(packed: Packed, wanted: readonly Wanted[], around: Around): Packed {
  const looking = wanted.filter(({ pods }) => pods > 0);
  const carriers = looking.filter(({ shape }) => shape.topology.length > 0);
  let { placed } = packed;
  let isCertain = looking.length === 1 || (carriers.length === 0 && fitAlways(looking, around.free));
  let limited: Pick<Packed, 'limitedBy' | 'limitedTerms'> | undefined;
  for (const group of Map.groupBy(termsOf(carriers), ({ key }) => key).values()) {
    const limit = limitOf(group, around);
    const pods = group.reduce((sum, { of }) => sum + of.pods, 0);
    isCertain &&= pods <= (limit?.least ?? 0) && carriers.every(({ shape }) => shape.topology.length === 1);
    if (!limit) continue;
    const { most, why } = limit;
    if (pods <= most) continue;
    const others = wanted.reduce((sum, one) => sum + one.pods, 0) - pods;
    if (!limited || others + most < placed) limited = { limitedBy: why, limitedTerms: [group[0]!.term] };
    placed = Math.min(placed, others + most);
  }
  if (limited) return { placed, isExact: true, fits: 'no', ...limited };
  if (packed.fits === 'no' || (packed.fits === 'yes' && isCertain)) return packed;
  return tried(packed, { wanted, carriers, around });
}

/** Of nodes that do not match the pods it is not known which labels they would have. */
function tried(
  packed: Packed,
  of: { readonly wanted: readonly Wanted[]; readonly carriers: readonly Wanted[]; readonly around: Around },
): Packed {
  const { wanted, carriers, around } = of;
  const isOpen = around.isAnywhere && carriers.length > 0;
  const { fits, placed } = isOpen ? UNTRIED : everyWay(wanted, around);
  if (fits === 'yes') return { placed, isExact: true, fits: 'yes' };
  if (fits === 'unknown') return { ...packed, placed: Math.max(packed.placed, placed), isExact: false, fits };
  const terms = termsOf(carriers).map(({ term }) => term);
  const kinds = [...new Set(terms.map(({ kind }) => kind))];
  const short = termsOf(carriers).flatMap(({ term, of: one }) => shortDomains(term, one, around));
  const limitedBy = [`${kinds.join(' and ')} allow ${placed} of them at once`, ...new Set(short)].join('; ');
  return { placed, isExact: true, fits, ...(kinds.length > 0 ? { limitedBy, limitedTerms: terms } : {}) };
}

/** Says that a spread finds fewer domains than it wants: then none may have more than maxSkew. */
function shortDomains(term: TopologyTerm, { seen }: Wanted, { nodes }: Around): readonly string[] {
  const { topologyKey, minDomains = 0 } = term;
  const there = nodes.filter(({ name }) => seen.has(name)).map(({ labels }) => ownValue(labels, topologyKey));
  const domains = new Set(there.filter((value) => value !== undefined)).size;
  if (domains >= minDomains) return [];
  const found = domainsText(domains, topologyKey);
  return [`${found} ${domains === 1 ? 'is' : 'are'} fewer than minDomains ${minDomains}`];
}

interface Carried {
  readonly key: string;
  readonly term: TopologyTerm;
  readonly of: Wanted;
}

const termsOf = (carriers: readonly Wanted[]): readonly Carried[] =>
  carriers.flatMap((of) => of.shape.topology.map((term) => ({ key: JSON.stringify(term), term, of })));

/** Undefined: it allows as many as there is room for, as far as is known. */
function limitOf(group: readonly Carried[], around: Around): Limit | undefined {
  const { term } = group[0]!;
  if (term.of.namespaces === 'unknown') return undefined;
  const domains = domainsOf(group, around);
  // Without the label a node is excluded as by a selector.
  if (domains.all.length === 0 && term.kind !== 'podAntiAffinity') return undefined;
  // Others of the job that it is about, and that are still to be placed, may make room for more.
  if (term.kind !== 'podAntiAffinity' && !isOfAll(group)) return undefined;
  if (term.kind === 'podAffinity' && !term.ofItself && around.isAnywhere) return undefined;
  const limit = LIMITS[term.kind](term, domains);
  return { ...limit, least: isOfAll(group) ? (limit.least ?? limit.most) : 0 };
}

/** Whether all pods of the job that the term is about have it. */
const isOfAll = (group: readonly Carried[]): boolean =>
  group[0]!.term.roles.every((role) => group.some(({ of }) => of.shape.roles.includes(role)));

interface Domains {
  /** Of nodes that count as domains. */
  readonly all: readonly Domain[];
  /** Room on nodes that are in no domain. */
  readonly outside: number;
}

interface Domain {
  /** How many pods are there that the term is about. */
  readonly there: number;
  /** How many pods more it has room for. */
  readonly room: number;
}

function domainsOf(group: readonly Carried[], { nodes, free, neighbours, moment }: Around): Domains {
  const { term } = group[0]!;
  const counts = neighbours?.get(selectorKey(term.of));
  const domains = new Map<string, { there: number; room: number }>();
  let outside = 0;
  for (const node of nodes) {
    const room = group.reduce((sum, { of }) => sum + roomOn(node, of, free), 0);
    const value = ownValue(node.labels, term.topologyKey);
    if (value === undefined) {
      outside += room;
      continue;
    }
    // Other nodes with a pod count for affinity; a spread looks at those only that its pods may use.
    const isSeen = group.some(({ of }) => of.seen.has(node.name));
    if (term.kind === 'topologySpreadConstraints' && !isSeen) continue;
    const domain = domains.get(value) ?? { there: 0, room: 0 };
    domain.there += termCount(term, counts?.get(node.name), moment);
    domain.room += room;
    domains.set(value, domain);
  }
  return { all: [...domains.values()], outside };
}

const roomOn = ({ name }: NodeView, { shape, nodes }: Wanted, free: Around['free']): number =>
  nodes.has(name) ? roomIn(free.get(name)!, shape) : 0;

type Limiting = (
  term: TopologyTerm,
  domains: Domains,
) => Omit<Limit, 'least'> & Partial<Pick<Limit, 'least'>>;

const LIMITS: Readonly<Record<TopologyTerm['kind'], Limiting>> = {
  podAntiAffinity: ({ topologyKey, ofItself }, { all, outside }) => {
    const open = all.filter(({ there }) => there === 0);
    const most = open.reduce((sum, { room }) => sum + (ofItself ? Math.min(1, room) : room), outside);
    const usable = open.filter(({ room }) => room > 0).length;
    return { most, why: antiText(topologyKey, { ofItself, usable, taken: all.length - open.length }) };
  },
  podAffinity: ({ topologyKey, ofItself }, { all }) => {
    const theirs = all.filter(({ there }) => there > 0);
    const most = theirs.reduce((sum, { room }) => sum + room, 0);
    if (theirs.length > 0)
      return { most, why: `podAffinity allows only ${topologyKey} where pods are that it names` };
    if (!ofItself) return { most: 0, why: 'podAffinity names pods that are on no node' };
    const open = all.flatMap(({ room }) => (room > 0 ? [room] : []));
    const largest = Math.max(0, ...open);
    return {
      ...{ most: largest, least: Math.min(largest, ...open) },
      why: `podAffinity wants all pods in one ${topologyKey}, and the largest has room for ${largest}`,
    };
  },
  topologySpreadConstraints: (term, { all }) => {
    const { topologyKey, maxSkew = 1, minDomains = 0, ofItself } = term;
    const isShort = all.length < minDomains;
    const least = (count: (domain: Domain) => number) => (isShort ? 0 : Math.min(...all.map(count)));
    const lowest = ofItself ? least(({ there, room }) => there + room) : least(({ there }) => there);
    const allowed = ({ there, room }: Domain): number => {
      if (!ofItself) return there - lowest <= maxSkew ? room : 0;
      return Math.max(0, Math.min(room, lowest + maxSkew - there));
    };
    const most = all.reduce((sum, domain) => sum + allowed(domain), 0);
    const empty = all.filter(({ there, room }) => there + room === 0).length;
    const domains = domainsText(all.length, topologyKey);
    const found = isShort
      ? `${domains}, fewer than minDomains ${minDomains}: each may have at most ${maxSkew}`
      : `${domains}${empty > 0 ? `, ${empty} of them without room` : ''}`;
    return { most, why: `topologySpreadConstraints allow ${most} with maxSkew ${maxSkew} over ${found}` };
  },
};

const domainsText = (count: number, key: string): string =>
  `${count} ${count === 1 ? 'domain' : 'domains'} of ${key}`;

function antiText(
  key: string,
  {
    ofItself,
    usable,
    taken,
  }: { readonly ofItself: boolean; readonly usable: number; readonly taken: number },
): string {
  const occupied = taken > 0 ? `; pods that it names are in ${taken} others` : '';
  return ofItself
    ? `podAntiAffinity allows one pod in each ${key}, and ${usable} ${usable === 1 ? 'has' : 'have'} room${occupied}`
    : `podAntiAffinity allows no ${key} where pods are that it names${occupied}`;
}
