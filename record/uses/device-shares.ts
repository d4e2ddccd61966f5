import { devicesByRole, isGpu } from '../../contracts/gpus.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';

/** The devices of a role's pods. */
export interface DeviceShare {
  /** As counts of the ledger spell it. */
  readonly role: string;
  /** Divides pods times milliseconds by what the pods had in an attempt. */
  split(attempt: number, pods: number, assumed: number): readonly SharedPart[];
}

interface SharedPart {
  readonly resource: string;
  readonly product?: string;
  readonly ms: number;
  readonly assumedMs: number;
}

/** A job whose pods request no device holds pods. */
const PODS = { pods: 1 };

/** Returns the devices of each role. The manifest is asked only where the ledger does not say what pods request. */
export function deviceSharesOf(entries: readonly LedgerEntry[], manifest: unknown): readonly DeviceShare[] {
  const roles = [...new Set(entries.flatMap(({ counts = {} }) => Object.keys(counts)))];
  const byAttempt = devicesByAttempt(entries, manifest);
  const hasDevices = roles.some((role) =>
    [...byAttempt.values()].some((devices) => ownValue(devices, role.toLowerCase()) !== undefined),
  );
  const products = productsByAttempt(entries);
  return roles.map((role) => ({
    role,
    split: (attempt, pods, assumed) => {
      const devices = hasDevices ? (ownValue(byAttempt.get(attempt) ?? {}, role.toLowerCase()) ?? {}) : PODS;
      return Object.entries(devices).flatMap(([resource, each]) =>
        divided(products.get(attempt)?.get(role.toLowerCase()), { resource, each, pods, assumed }),
      );
    },
  }));
}

type ByRole = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A revision that requests other devices takes effect with an attempt. */
function devicesByAttempt(entries: readonly LedgerEntry[], manifest: unknown): ReadonlyMap<number, ByRole> {
  const byAttempt = new Map<number, ByRole>();
  let present: ByRole = devicesByRole(manifest);
  for (const { attempt, devices } of entries) {
    if (devices)
      present = Object.fromEntries(Object.entries(devices).map(([role, of]) => [role.toLowerCase(), of]));
    byAttempt.set(attempt, present);
  }
  return byAttempt;
}

/** How many pods of a role had which product in an attempt, as the effects that ended them have found. */
function productsByAttempt(
  entries: readonly LedgerEntry[],
): ReadonlyMap<number, ReadonlyMap<string, Readonly<Record<string, number>>>> {
  const attempts = new Map(entries.map(({ seq, attempt }) => [seq, attempt]));
  const found = new Map<number, Map<string, Record<string, number>>>();
  for (const { cause, attempt, products = {} } of entries) {
    // What ends one attempt may begin the next.
    const of = (cause.type === 'effect' ? attempts.get(cause.began ?? 0) : undefined) ?? attempt;
    for (const [role, pods] of Object.entries(products)) {
      const roles = found.get(of) ?? new Map<string, Record<string, number>>();
      const sum = { ...roles.get(role) };
      for (const [product, count] of Object.entries(pods)) sum[product] = (sum[product] ?? 0) + count;
      found.set(of, roles.set(role, sum));
    }
  }
  return found;
}

/** In whole milliseconds, which add up: each product gets what it has of all up to it, less what those before it have. */
function divided(
  products: Readonly<Record<string, number>> = {},
  given: {
    readonly resource: string;
    readonly each: number;
    readonly pods: number;
    readonly assumed: number;
  },
): SharedPart[] {
  const { resource, each, pods, assumed } = given;
  // Which other devices a node has, its label does not say.
  const counts = Object.entries(isGpu(resource) ? products : {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return [{ resource, ms: pods * each, assumedMs: assumed * each }];
  let before = 0;
  return counts.map(([product, count]) => {
    const upTo = (sum: number, counted: number) =>
      (counted === all ? sum : Math.floor((sum * counted) / all)) * each;
    const part = (sum: number) => upTo(sum, before + count) - upTo(sum, before);
    const shared = { resource, product, ms: part(pods), assumedMs: part(assumed) };
    before += count;
    return shared;
  });
}
