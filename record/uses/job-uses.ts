import type { LedgerEntry } from '../../contracts/types.ts';
import { ms } from '../facts/times.ts';
import { type DeviceShare, deviceSharesOf } from './device-shares.ts';
import { firstPlacedAt, placedMeter } from './placed-meter.ts';
import { type RestartFact, restartFactsOf } from './restart-causes.ts';
import { type UseStretch, useStretchesOf } from './use-stretches.ts';
import type { Use } from './uses.ts';

/**
 * For how long devices of a job had one use, on one day.
 *
 * @public
 */
export interface DeviceUse {
  /** Day in UTC, e.g. 2026-11-23. */
  readonly day: string;
  readonly attempt: number;
  readonly use: Use;
  /** Why the job restarted, if they had this use because of that. */
  readonly cause?: string;
  /** Extended resource, e.g. `nvidia.com/gpu`; `pods` for a job whose pods request none. */
  readonly resource: string;
  /** What the devices are; absent if that is not known. */
  readonly product?: string;
  /** Devices times milliseconds. */
  readonly ms: number;
  /** The part of `ms` that rests on counts of pods between which something may have happened. */
  readonly assumedMs: number;
}

/**
 * What the devices of a job were used for.
 *
 * @public
 */
export interface JobUses {
  readonly uses: readonly DeviceUse[];
  readonly restarts: readonly RestartFact[];
  /** For how long the job itself, as a whole, had each use, in milliseconds. */
  readonly wallMs: Readonly<Partial<Record<Use, number>>>;
  /** From the submission, and from when its first pod had a node, until the end or until it was looked at. */
  readonly totalMs: number;
  readonly placedMs: number;
}

interface UsesOptions {
  /** When the workflow closed, or now, in epoch milliseconds. */
  readonly until: number;
  /** For ledgers that do not say what pods request, as earlier versions wrote them. */
  readonly manifest?: unknown;
}

/** Returns what the devices of a job were used for. Nothing but the ledger decides it, and parts add up to what was held. */
export function jobUsesOf(given: readonly LedgerEntry[], { until, manifest }: UsesOptions): JobUses {
  const entries = inOrderOfTime(given);
  const stretches = useStretchesOf(entries, until);
  const begin = entries[0] ? ms(entries[0].at) : until;
  const end = stretches.reduce((latest, { to }) => Math.max(latest, to), begin);
  const shares = deviceSharesOf(entries, manifest);
  return {
    uses: summedUp(shares.flatMap((share) => usesOfShare(share, entries, { stretches, until }))),
    restarts: restartFactsOf(entries),
    wallMs: wallOf(stretches),
    totalMs: end - begin,
    placedMs: Math.max(0, end - (firstPlacedAt(entries) ?? end)),
  };
}

/** Workers have clocks of their own. What is said to be before the entry before it was at the same time: no time counts twice. */
function inOrderOfTime(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  let latest = '';
  let latestMs = Number.NEGATIVE_INFINITY;
  return entries.map((entry) => {
    const at = ms(entry.at);
    if (at < latestMs) return { ...entry, at: latest };
    [latest, latestMs] = [entry.at, at];
    return entry;
  });
}

function usesOfShare(
  share: DeviceShare,
  entries: readonly LedgerEntry[],
  { stretches, until }: { readonly stretches: readonly UseStretch[]; readonly until: number },
): DeviceUse[] {
  const meter = placedMeter(entries, share.role, until);
  return stretches.flatMap(byDay).flatMap((stretch) => {
    const { pods, spares, assumed } = meter(stretch.from, stretch.to);
    const { attempt, restart } = stretch;
    const common = { day: dayOf(stretch.from), attempt };
    const because = restart ? { cause: restart.cause } : {};
    return [
      ...share
        .split(attempt, pods, assumed)
        .map((part) => ({ ...common, ...because, use: stretch.use, ...part })),
      ...share.split(attempt, spares, 0).map((part) => ({ ...common, use: 'spare' as const, ...part })),
    ];
  });
}

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Prices change by day, and a month is asked for by its days. */
function byDay(stretch: UseStretch): UseStretch[] {
  const parts: UseStretch[] = [];
  for (let { from } = stretch; from < stretch.to; ) {
    const to = Math.min(stretch.to, (Math.floor(from / DAY_MS) + 1) * DAY_MS);
    parts.push({ ...stretch, from, to });
    from = to;
  }
  return parts;
}

const keyOf = ({ day, attempt, use, cause, resource, product }: DeviceUse): string =>
  JSON.stringify([day, attempt, use, cause ?? null, resource, product ?? null]);

/** One for each day, attempt, use, cause, resource and product; without those of no time. */
const summedUp = (uses: readonly DeviceUse[]): DeviceUse[] =>
  [...Map.groupBy(uses, keyOf).values()]
    .map((alike) => ({
      ...alike[0]!,
      ms: alike.reduce((sum, one) => sum + one.ms, 0),
      assumedMs: alike.reduce((sum, one) => sum + one.assumedMs, 0),
    }))
    .filter((one) => one.ms > 0);

function wallOf(stretches: readonly UseStretch[]): JobUses['wallMs'] {
  const sums: Partial<Record<Use, number>> = {};
  for (const { use, from, to } of stretches) sums[use] = (sums[use] ?? 0) + to - from;
  return sums;
}
