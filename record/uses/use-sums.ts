import { isGpu } from '../../contracts/gpus.ts';
import { keysOf } from '../../language/fields.ts';
import type { DeviceUse, JobUses } from './job-uses.ts';
import { USES, type Use } from './uses.ts';

/**
 * A part of a whole, from 0 to 1; two numbers where only bounds are known.
 *
 * @public
 */
export interface PartOfWhole {
  readonly least: number;
  readonly most: number;
}

/**
 * What the devices of one resource were used for. Sums of several jobs are those of all their uses, never means of parts.
 *
 * @public
 */
export interface ResourceSums {
  readonly resource: string;
  /** Devices times milliseconds. */
  readonly ms: number;
  readonly assumedMs: number;
  /** In the order of `USES`; the most first within one. */
  readonly uses: readonly { readonly use: Use; readonly cause?: string; readonly ms: number }[];
  /** The productive part. Where nothing is known of progress it may be none or all. */
  readonly goodput: PartOfWhole;
}

/** Returns the sums of each resource: accelerators first, then what was held most. */
export const sumsByResource = (uses: readonly DeviceUse[]): readonly ResourceSums[] =>
  [...Map.groupBy(uses, ({ resource }) => resource)]
    .map(([resource, own]) => sumsOf(resource, own))
    .sort((a, b) => Number(isGpu(b.resource)) - Number(isGpu(a.resource)) || b.ms - a.ms);

function sumsOf(resource: string, uses: readonly DeviceUse[]): ResourceSums {
  const ms = sum(uses);
  const alike = [...Map.groupBy(uses, ({ use, cause = '' }) => `${use} ${cause}`).values()].map((own) => ({
    use: own[0]!.use,
    ...(own[0]!.cause === undefined ? {} : { cause: own[0]!.cause }),
    ms: sum(own),
  }));
  const of = (use: Use) => sum(uses.filter((one) => one.use === use));
  return {
    ...{ resource, ms, assumedMs: uses.reduce((all, one) => all + one.assumedMs, 0) },
    uses: alike.sort((a, b) => ORDER.indexOf(a.use) - ORDER.indexOf(b.use) || b.ms - a.ms),
    goodput: partOf(of('productive'), of('unknown'), ms),
  };
}

const ORDER = keysOf(USES);
const sum = (uses: readonly { readonly ms: number }[]): number => uses.reduce((all, { ms }) => all + ms, 0);

/**
 * Effective training time ratio: the time in which a job made progress that was not lost, of its whole time. Meta counts the
 * queue (arXiv 2410.21680), ByteDance does not (2509.16293).
 */
export const ettrOf = ({ wallMs, totalMs, placedMs }: JobUses) => ({
  withQueue: partOf(wallMs.productive ?? 0, wallMs.unknown ?? 0, totalMs),
  withoutQueue: partOf(wallMs.productive ?? 0, wallMs.unknown ?? 0, placedMs),
});

const partOf = (known: number, unknown: number, whole: number): PartOfWhole =>
  whole > 0 ? { least: known / whole, most: (known + unknown) / whole } : { least: 0, most: 1 };

/** Bounds where more is not known. */
export function partText({ least, most }: PartOfWhole): string {
  const text = (part: number) => `${(100 * part).toFixed(1)} %`;
  if (most - least < 0.0005) return text(least);
  return least === 0 && most === 1 ? 'not known' : `${text(least)} to ${text(most)}`;
}
