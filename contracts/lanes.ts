import type { Amounts } from './pod-requests.ts';

/** Whether a lane takes back what other lanes use beyond their shares: `borrowed` stops whole jobs of theirs. */
export const RECLAIM_POLICIES = ['never', 'borrowed'] as const;

/** Whether a job stops jobs of its lane: `lower` those of strictly lower priority. */
export const PREEMPT_POLICIES = ['never', 'lower'] as const;

/**
 * What may start while the first job of a lane waits for room. `none`: nothing. `safe`: what does not delay it, as far as
 * ends are known (EASY backfill). `any`: whatever fits, until the first has waited for `starveAfter`.
 */
export const BACKFILL_POLICIES = ['none', 'safe', 'any'] as const;

/** The lanes of an installation: what jobs wait in, and share. */
export interface LanesConfig {
  readonly pools: Readonly<Record<string, LanePool>>;
  readonly lanes: Readonly<Record<string, LaneSettings>>;
  /** After this time at the head of its lane nothing passes a job. */
  readonly starveAfterMs: number;
  readonly backfill: (typeof BACKFILL_POLICIES)[number];
  /** Of jobs that name none. */
  readonly defaultLane?: string;
}

/** What lanes share: what nodes with these labels have, or fixed amounts. */
export type LanePool = { readonly nodes: Readonly<Record<string, string>> } | { readonly capacity: Amounts };

export interface LaneSettings {
  /** One of `pools`. A lane with nodes or capacity of its own has a pool with its own name. */
  readonly pool: string;
  /** Its part of the pool, in relation to the weights of the other lanes. */
  readonly weight: number;
  /** Lanes of a pool are served in this order, the largest first. */
  readonly priority: number;
  readonly reclaim: (typeof RECLAIM_POLICIES)[number];
  readonly preempt: (typeof PREEMPT_POLICIES)[number];
  /** The most that its jobs have together. */
  readonly limit?: Amounts;
  /** The most that jobs of one user, or with one value of a label, have together. */
  readonly caps: LaneCaps;
  /** Which namespaces may use it, with `*` for any text; all if absent. */
  readonly namespaces?: readonly string[];
  /** Why nothing starts until further notice. */
  readonly paused?: string;
  /** Why nothing starts until what runs has ended. */
  readonly drain?: string;
  /** What is wrong with it, by path: nothing starts until that is mended. */
  readonly fault?: string;
}

interface LaneCaps {
  readonly perUser?: Amounts;
  /** By the key of the label. */
  readonly perLabel: Readonly<Record<string, Amounts>>;
}

export const DEFAULT_STARVE_AFTER_MS = 6 * 3_600_000;

export const mayUseLane = ({ namespaces }: LaneSettings, namespace: string): boolean =>
  namespaces === undefined || namespaces.some((pattern) => matches(pattern, namespace));

/** Compares the parts between the stars: a pattern never costs more than its length for each of them. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return text.length - from >= last.length && text.endsWith(last);
}
