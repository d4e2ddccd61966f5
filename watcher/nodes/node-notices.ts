import type { Condition, Node } from '../../contracts/kubernetes.ts';
import { type NodeNotice, VERDICTS } from '../../contracts/node-notice.ts';
import { parseQuantity } from '../../contracts/quantity.ts';
import { shownLine } from '../../contracts/secrets/shown-line.ts';
import { compareText } from '../../language/compare-text.ts';
import type { HealthTable, NodeFact, SourcedRow } from './health-table.ts';

/** How many notices of a node are told. */
const MOST_NOTICES = 5;

/** A label may stay when the maintenance is over. */
const PAST_MS = 3_600_000;

/** Returns what the sources say of a node that is not well, the gravest first. `now`: epoch milliseconds. */
export const nodeNotices = (node: Node, table: HealthTable, now: number): readonly NodeNotice[] =>
  factsOf(node)
    .flatMap((fact) => {
      const row = table.find(fact);
      return row ? [noticeOf(fact, row, now)] : [];
    })
    .filter(({ deadline, isAssumed }) => isAssumed || deadline === undefined || deadline > now - PAST_MS)
    .sort(byGravity)
    .slice(0, MOST_NOTICES);

/** What a Node says, one by one; for those that the table does not name the others need not be kept. */
export interface SeenFact extends NodeFact {
  /** RFC 3339, where the cluster records it. */
  readonly since?: string;
  readonly message?: string;
}

export const factsOf = ({ metadata, spec, status }: Node): readonly SeenFact[] => [
  ...(status?.conditions ?? []).map(ofCondition),
  ...(spec?.taints ?? []).map(({ key, value = '', timeAdded }) => ({
    ...({ kind: 'taint', key, value } as const),
    ...(timeAdded === undefined ? {} : { since: timeAdded }),
  })),
  ...Object.entries(metadata.labels ?? {}).map(([key, value]) => ({ kind: 'label', key, value }) as const),
  ...Object.entries(metadata.annotations ?? {}).map(
    ([key, value]) => ({ kind: 'annotation', key, value }) as const,
  ),
  ...heldBack(status),
];

const ofCondition = ({ type, status, reason, message, lastTransitionTime }: Condition): SeenFact => ({
  ...{ kind: 'condition', key: type, value: status },
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
  ...(lastTransitionTime === undefined ? {} : { since: lastTransitionTime }),
});

/** Devices of which less is allocatable than the node has. */
function heldBack(status: Node['status']): readonly SeenFact[] {
  const { capacity = {}, allocatable = {} } = (status ?? {}) as Readonly<Record<string, Amounts | undefined>>;
  return Object.entries(capacity).flatMap(([key, amount]) => {
    const [has, left] = [amountOf(amount), amountOf(allocatable[key])];
    return isDevice(key) && left < has
      ? [{ kind: 'resource', key, value: `${left} of ${has}` } as const]
      : [];
  });
}

type Amounts = Readonly<Record<string, unknown>>;

export const isDevice = (resource: string): boolean => resource.includes('/');

const amountOf = (quantity: unknown): number =>
  Number(parseQuantity(String(quantity ?? '0'))?.nanos ?? 0n) / 1e9;

function noticeOf(fact: SeenFact, row: SourcedRow, now: number): NodeNotice {
  const { key, value, reason, message } = fact;
  const since = Date.parse(fact.since ?? '') || now;
  const said = shownLine(fact.kind === 'condition' ? [reason, message].filter(Boolean).join(': ') : value);
  return {
    ...{ verdict: row.means as NodeNotice['verdict'], source: row.source, key, since },
    ...(said ? { reason: said } : {}),
    ...deadlineOf(row, value, since),
  };
}

function deadlineOf(
  { time, leadMs }: SourcedRow,
  value: string,
  since: number,
): Pick<NodeNotice, 'deadline' | 'isAssumed'> {
  const said = time === undefined ? Number.NaN : TIMES[time](value);
  if (Number.isFinite(said)) return { deadline: said };
  return leadMs === undefined ? {} : { deadline: since + leadMs, isAssumed: true };
}

const TIMES = {
  unixSeconds: (value: string) => (/^\d{1,12}$/.test(value) ? Number(value) * 1_000 : Number.NaN),
  rfc3339: (value: string) => Date.parse(value),
} satisfies Readonly<Record<NonNullable<SourcedRow['time']>, (value: string) => number>>;

const byGravity = (a: NodeNotice, b: NodeNotice): number =>
  VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) ||
  (a.deadline ?? Number.POSITIVE_INFINITY) - (b.deadline ?? Number.POSITIVE_INFINITY) ||
  compareText(a.key, b.key);
