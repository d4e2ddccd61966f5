import type { WaitReason } from '../contracts/types.ts';
import { reasonsFor } from '../explain/explain.ts';
import { podsText } from '../explain/rule.ts';
import { keyOfShape, shapesOf, uncheckedTerms } from '../explain/shape.ts';
import type { NodeView, PodShape, Situation } from '../explain/situation.ts';
import { type AskedForm, fairPart } from './fair-part.ts';
import type { Gang } from './gang.ts';
import { NodePrints } from './node-prints.ts';
import { type Pool, reserveFor } from './pool.ts';

/** Whether a gang that waits may be lifted, and fits. */
export interface Check {
  readonly gang: Gang;
  /** All of it is there and may be lifted. */
  readonly isReady: boolean;
  readonly fits: boolean;
  readonly ahead: readonly Gang[];
  /** Why it does not fit. */
  readonly why?: Why;
}

interface Why extends Pick<WaitReason, 'sentence'> {
  readonly code: string;
}

/** What is known of forms of gangs from one decision to the next: each is checked again when what its verdict rests on has changed. */
export interface CheckedForms {
  /** Counts decisions. */
  readonly round: number;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

interface Verdict {
  /** When it was found. */
  readonly round: number;
  readonly why?: Why;
  /** Of nodes and what pods use of them, as far as they matter to it. */
  readonly restsOn: string;
}

/** Forms of gangs whose check takes its time, in one decision. */
const MOST_CHECKED = 50;

/** Checks the gangs in their order; equal ones once. */
export function checkGangs(
  pool: Pool,
  waiting: readonly Gang[],
  before: CheckedForms = { round: 0, verdicts: new Map() },
): { readonly checks: readonly Check[]; readonly checked: CheckedForms } {
  const round = before.round + 1;
  const missing = new Map(waiting.map((gang) => [gang, notReady(gang)]));
  const forms = new Forms(pool);
  const asked = new Map(
    waiting.filter((gang) => !missing.get(gang)).map((gang) => [gang, forms.of(gang)] as const),
  );
  const verdicts = new Map<string, Verdict>();
  const stale: AskedForm[] = [];
  for (const [{ namespace }, form] of asked) {
    const known = before.verdicts.get(form.key);
    if (known && forms.isValid(form, known)) verdicts.set(form.key, known);
    else stale.push({ key: form.key, namespace, checkedIn: known?.round ?? 0 });
  }
  const chosen = fairPart(stale, MOST_CHECKED);
  for (const form of new Map([...asked.values()].map((one) => [one.key, one])).values())
    if (chosen.has(form.key)) verdicts.set(form.key, forms.check(form, round));
  const checks = waiting.map((gang, index) => {
    const ahead = waiting.slice(0, index);
    const form = asked.get(gang);
    const verdict = form && verdicts.get(form.key);
    const why = form ? (verdict ? verdict.why : UNCHECKED) : missing.get(gang);
    const isReady = form !== undefined && !(why && OF_CLAIMS.has(why.code));
    return why ? { gang, ahead, isReady, fits: false, why } : { gang, ahead, isReady, fits: true };
  });
  const unchecked = stale.flatMap(({ key }): [string, Verdict][] => {
    const known = before.verdicts.get(key);
    return known ? [[key, known]] : [];
  });
  return { checks, checked: { round, verdicts: new Map([...unchecked, ...verdicts]) } };
}

const UNCHECKED: Why = {
  code: 'WaitingForTurn',
  sentence: `it is checked in one of the next decisions: more than ${MOST_CHECKED} different gangs wait`,
};

/** What keeps a gang from its turn whatever room there is. */
function notReady({ held, size, leaving, gates }: Gang): Why | undefined {
  if (gates.length > 0)
    return { code: 'SchedulingGated', sentence: `its pods have gates of others: ${gates.join(', ')}` };
  if (leaving > 0)
    return { code: 'PodsTerminating', sentence: `${podsText(leaving)} of it are being deleted` };
  if (held.length < size.total)
    return {
      code: 'CreatingObjects',
      sentence: `${held.length} of its ${podsText(size.total)} exist`,
    };
  return undefined;
}

/** Gangs that are equal in all that decides whether they fit have the same form. */
interface Form {
  readonly key: string;
  readonly gang: Gang;
  readonly shapes: readonly PodShape[];
}

class Forms {
  readonly #pool: Pool;
  readonly #nodes = new Map<number, { readonly nodes: readonly NodeView[]; readonly prints: NodePrints }>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  of(gang: Gang): Form {
    const { places: claims, missing, pending } = this.#claimsOf(gang);
    const shapes = shapesOf(gang.held, { claims }).map((shape) => ({
      ...shape,
      notComputed: uncheckedTerms(shape),
    }));
    const counts = shapes.map(({ roles, pods, placed }) => [roles, pods, placed]);
    const own = [gang.size.min, gang.priority, counts, missing, pending];
    return { key: JSON.stringify([shapes.map(keyOfShape), ...own]), gang, shapes };
  }

  isValid({ gang: { priority }, shapes }: Form, { why, restsOn }: Verdict): boolean {
    return this.#print(priority, shapes, why) === restsOn;
  }

  check(form: Form, round: number): Verdict {
    const { gang, shapes } = form;
    const why = noRoom(this.#situationOf(form));
    const taken = why && OF_ROOM.has(why.code) ? this.#reservedText(gang) : '';
    return {
      round,
      ...(why ? { why: { ...why, sentence: why.sentence + taken } } : {}),
      restsOn: this.#print(gang.priority, shapes, why),
    };
  }

  /** What never fits does so whatever pods use. */
  #print(priority: number, shapes: readonly PodShape[], why: Why | undefined): string {
    const { prints } = this.#nodesFor(priority);
    return why && ALWAYS.has(why.code) ? prints.ofEmpty(shapes) : prints.ofUsed(shapes);
  }

  #nodesFor(priority: number) {
    const known = this.#nodes.get(priority);
    if (known) return known;
    const nodes = reserveFor(this.#pool.nodes, this.#rivalsOf(priority));
    const made = { nodes, prints: new NodePrints(nodes) };
    this.#nodes.set(priority, made);
    return made;
  }

  #rivalsOf = (priority: number) => this.#pool.rivals.filter((rival) => rival.priority >= priority);

  /** Whose pods take room that no pod uses yet. */
  #reservedText({ priority }: Gang): string {
    const byNamespace = Map.groupBy(this.#rivalsOf(priority), ({ namespace }) => namespace);
    const texts = [...byNamespace].map(
      ([namespace, rivals]) =>
        `${podsText(rivals.reduce((sum, { shape }) => sum + shape.pods, 0))} of namespace ${namespace}`,
    );
    if (texts.length === 0) return '';
    const more = texts.length > MOST_NAMED ? ' and others' : '';
    return `; counted as placed, because a scheduler may place them at any moment: ${texts.slice(0, MOST_NAMED).join(', ')}${more}`;
  }

  #claimsOf({ uid }: Gang) {
    const { places, missing = [], pending = [] } = this.#pool.claims.get(uid) ?? {};
    return { places, missing, pending };
  }

  #situationOf({ gang, shapes }: Form): Situation {
    const { at, holders } = this.#pool;
    const { missing, pending: volumes } = this.#claimsOf(gang);
    const { nodes } = this.#nodesFor(gang.priority);
    return {
      at,
      demand: {
        ...{ namespace: gang.namespace, shapes, minMember: Math.max(1, gang.size.min) },
        ...{ waiting: [], leaving: [], objects: {} },
      },
      cluster: {
        ...{ nodes, isUsageKnown: true, holders },
        ...{ missing, volumes, quotas: [], refused: [], schedulers: {}, autoscaler: [] },
      },
      unread: [],
    };
  }
}

const MOST_NAMED = 5;

/** Returns why a gang does not fit now; undefined if it does. */
function noRoom(situation: Situation): Why | undefined {
  const { reasons, fits } = reasonsFor(situation);
  if (fits === 'yes' && reasons.length === 0) return undefined;
  const { code, sentence } = reasons.find((one) => OF_CLAIMS.has(one.code)) ?? reasons[0] ?? NOT_COMPUTED;
  return { code, sentence };
}

const NOT_COMPUTED: Why = { code: 'NotComputed', sentence: 'whether it fits cannot be computed' };

/** Neither room nor new nodes help a gang whose claims are not there. */
const OF_CLAIMS: ReadonlySet<string> = new Set(['DependencyMissing', 'VolumePending']);

const OF_ROOM: ReadonlySet<string> = new Set(['NotEnoughRoom', 'CapacityBeingFreed']);

/** Whatever pods of others use. */
const ALWAYS: ReadonlySet<string> = new Set(['NeverFits', ...OF_CLAIMS]);
