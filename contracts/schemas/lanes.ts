import { z } from 'zod';
import { ownValue, withoutUndefined } from '../../language/fields.ts';
import {
  BACKFILL_POLICIES,
  DEFAULT_STARVE_AFTER_MS,
  type LanePool,
  type LaneSettings,
  type LanesConfig,
  PREEMPT_POLICIES,
  RECLAIM_POLICIES,
} from '../lanes.ts';
import { parseAmounts } from '../pod-requests.ts';
import type { Fault } from '../types.ts';
import { someTime } from './duration.ts';
import { describeValue, faultsOf } from './faults-of.ts';
import { quantitiesSchema } from './quantity.ts';

/** The document `lanes.yaml`: what lanes there are, what they share, and in which order. */

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const A_NAME = 'a name: lower-case letters, digits and -, at most 63';
const LARGEST_WEIGHT = 1_000_000;
const A_WEIGHT = `a number > 0 and <= ${LARGEST_WEIGHT}, with at most three decimals`;

const amounts = quantitiesSchema.transform(parseAmounts);
const name = z.string().max(63, { error: A_NAME }).regex(NAME, { error: A_NAME });
const nodes = z.record(z.string(), z.string());
const MOST_OF_A_REASON = 500;
const A_REASON = `a text that says why, of at most ${MOST_OF_A_REASON} characters`;
const reason = z.custom<string>(isReason, { error: A_REASON });
const source = {
  nodes: nodes.optional().describe('What ready nodes with these labels have that are not cordoned.'),
  capacity: amounts.optional().describe('Fixed amounts, by resource. Other resources are not counted.'),
};

const pool = z.strictObject(source).meta({ description: 'What lanes share: one of nodes and capacity.' });

const lane = z
  .strictObject({
    ...source,
    pool: z.string().optional().describe('The pool that it shares, instead of nodes or capacity of its own.'),
    weight: z
      .custom<number>(isWeight, { error: A_WEIGHT })
      .default(1)
      .describe('Its part of the pool, in relation to the weights of the other lanes; default: 1.'),
    priority: z
      .int()
      .default(0)
      .describe('Lanes of a pool are served in this order, the largest first; default: 0.'),
    reclaim: z
      .enum(RECLAIM_POLICIES)
      .default('never')
      .describe('borrowed: stops jobs of lanes that use more than their share, to get its own share.'),
    preempt: z
      .enum(PREEMPT_POLICIES)
      .default('never')
      .describe('lower: a job stops jobs of lower priority in the same lane.'),
    limit: amounts.optional().describe('The most that its jobs have together, by resource.'),
    caps: z
      .strictObject({
        perUser: amounts.optional().describe('The most that jobs of one user have together.'),
        perLabel: z
          .record(z.string(), amounts)
          .default({})
          .describe('The most that jobs with one value of a label have together, by the key of the label.'),
      })
      .default({ perLabel: {} })
      .describe('The most that some of its jobs have together.'),
    namespaces: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Which namespaces may use it, e.g. [ml-*]; default: all.'),
    paused: reason.optional().describe('Why nothing starts until further notice.'),
    drain: reason.optional().describe('Why nothing starts until what runs has ended.'),
  })
  .meta({ description: 'What jobs wait in: one of pool, nodes and capacity.' });

const lanesSchema = z.strictObject({
  pools: z.record(name, pool).default({}).describe('What lanes share, by name.'),
  lanes: z.record(name, lane).describe('The lanes, by name.'),
  starveAfter: someTime
    .default(DEFAULT_STARVE_AFTER_MS)
    .describe('After this time at the head of its lane nothing passes a job; default: 6h.'),
  backfill: z
    .enum(BACKFILL_POLICIES)
    .default('safe')
    .describe('What may pass a job that waits for room: none, safe (EASY) or any; default: safe.'),
  defaultLane: z.string().optional().describe('The lane of jobs that name none; default: they do not wait.'),
});

type Document = z.infer<typeof lanesSchema>;

/** Reads `lanes.yaml`, parsed. Returns every fault, by path. */
export function parseLanes(
  document: unknown,
): { readonly lanes: LanesConfig } | { readonly faults: Fault[] } {
  const { success, data, error } = lanesSchema.safeParse(document);
  if (!success) return { faults: faultsOf(error, document).map(withPath) };
  const faults = faultsBetween(data);
  return faults.length > 0 ? { faults } : { lanes: configOf(data) };
}

/** Returns what a field of a lane may be; undefined for one that there is not. */
export const laneFields = (field: string): z.ZodType | undefined => ownValue<z.ZodType>(lane.shape, field);

/** A fault of the document itself has no path. */
const withPath = (fault: Fault): Fault => (fault.path === '' ? { ...fault, path: 'lanes.yaml' } : fault);

function isReason(given: unknown): boolean {
  return typeof given === 'string' && given.length > 0 && given.length <= MOST_OF_A_REASON;
}

function isWeight(given: unknown): boolean {
  if (typeof given !== 'number' || !(given > 0) || given > LARGEST_WEIGHT) return false;
  return Math.abs(given * 1000 - Math.round(given * 1000)) < 1e-6;
}

/** What a schema of fields does not say. */
function faultsBetween({ pools, lanes, defaultLane }: Document): Fault[] {
  return [
    ...Object.entries(pools).flatMap(([name, given]) =>
      oneOf(`pools.${name}`, { nodes: given.nodes, capacity: given.capacity }),
    ),
    ...Object.entries(lanes).flatMap(([name, given]) => [
      ...oneOf(`lanes.${name}`, { pool: given.pool, nodes: given.nodes, capacity: given.capacity }),
      ...known(`lanes.${name}.pool`, given.pool, pools),
      ...(given.pool === undefined && Object.hasOwn(pools, name)
        ? [fault(`lanes.${name}`, `pool: ${name}, or another name than that of a pool`, name)]
        : []),
    ]),
    ...known('defaultLane', defaultLane, lanes),
  ];
}

function oneOf(path: string, choices: Readonly<Record<string, unknown>>): Fault[] {
  const given = Object.keys(withoutUndefined(choices));
  if (given.length === 1) return [];
  const expected = `one of ${Object.keys(choices).join(', ')}`;
  return [{ path, expected, got: given.join(' and ') || 'none of them' }];
}

function known(path: string, given: string | undefined, all: object): Fault[] {
  if (given === undefined || Object.hasOwn(all, given)) return [];
  const names = Object.keys(all);
  return [fault(path, names.length > 0 ? `one of ${names.join(', ')}` : 'a pool of pools', given)];
}

const fault = (path: string, expected: string, given: unknown): Fault => ({
  path,
  expected,
  got: describeValue(given),
});

function configOf({ pools, lanes, starveAfter, backfill, defaultLane }: Document): LanesConfig {
  const own = Object.entries(lanes).filter(([, { pool }]) => pool === undefined);
  return withoutUndefined({
    pools: Object.fromEntries(
      [...Object.entries(pools), ...own].map(([name, given]) => [name, sourceOf(given)]),
    ),
    lanes: Object.fromEntries(Object.entries(lanes).map(([name, given]) => [name, laneOf(name, given)])),
    starveAfterMs: starveAfter,
    backfill,
    defaultLane,
  });
}

const sourceOf = ({ nodes, capacity }: Pick<Document['pools'][string], 'nodes' | 'capacity'>): LanePool =>
  capacity ? { capacity } : { nodes: nodes ?? {} };

function laneOf(name: string, given: Document['lanes'][string]): LaneSettings {
  const { nodes: _, capacity: __, caps, ...settings } = given;
  return withoutUndefined({ ...settings, caps: withoutUndefined(caps), pool: settings.pool ?? name });
}
