import type { Prices } from '../../contracts/schemas/prices.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { orMeant } from '../../language/meant.ts';
import type { DeviceUse } from './job-uses.ts';
import { type PricedSums, pricedSumsOf } from './priced-sums.ts';

/** A job, and what its devices were used for. */
export interface UsingJob {
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  /** The authenticated submitter, else the given one. */
  readonly user: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly uses: readonly DeviceUse[];
}

/**
 * What the devices of some jobs were used for together.
 *
 * @public
 */
export interface UseGroup {
  /** By what they are grouped; null where a job has no such value. */
  readonly by: Readonly<Record<string, string | null>>;
  readonly jobs: number;
  readonly resources: readonly PricedSums[];
}

type KeyOf = (job: UsingJob, use: DeviceUse) => string | null;

/** By what uses are grouped, beside labels. */
const GROUP_KEYS: Readonly<Record<string, KeyOf>> = {
  namespace: ({ namespace }) => namespace,
  user: ({ user }) => user,
  kind: ({ kind }) => kind,
  job: ({ namespace, name }) => `${namespace}/${name}`,
  day: (_, { day }) => day,
  use: (_, { use }) => use,
  cause: (_, { cause }) => cause ?? null,
  resource: (_, { resource }) => resource,
  product: (_, { product }) => product ?? null,
};
export const GROUP_KEY_NAMES: readonly string[] = Object.keys(GROUP_KEYS);

/** Whether a word can be nothing else: a key, or `label:KEY`. */
export const isGroupKey = (word: string): boolean =>
  word.startsWith('label:') || Object.hasOwn(GROUP_KEYS, word);

/** Returns the key of the label that a word means: `label:KEY`, or any word that is no other key. */
const labelOfKey = (key: string): string | undefined =>
  key.startsWith('label:') ? key.slice('label:'.length) : Object.hasOwn(GROUP_KEYS, key) ? undefined : key;

const keyFunction = (key: string): KeyOf => {
  const label = labelOfKey(key);
  return label === undefined
    ? GROUP_KEYS[key]!
    : ({ labels }) => (Object.hasOwn(labels, label) ? labels[label]! : null);
};

/**
 * Returns what is wrong with a word that is neither a key nor a label of any job: it is probably misspelt. Undefined if none
 * is.
 */
export function faultOfKeys(jobs: readonly UsingJob[], keys: readonly string[]): string | undefined {
  const unknown = keys.find((key) => {
    const label = labelOfKey(key);
    return label !== undefined && !jobs.some(({ labels }) => Object.hasOwn(labels, label));
  });
  if (unknown === undefined || jobs.length === 0) return undefined;
  const meant = nearest(unknown, [...GROUP_KEY_NAMES, ...jobs.flatMap(({ labels }) => Object.keys(labels))]);
  return `by: expected one of ${GROUP_KEY_NAMES.join(', ')}, or a label of the jobs, got ${unknown}${orMeant(meant)}`;
}

/** Groups what some jobs used, the group that held most first. Sums of groups are those of all their uses. */
export function groupedUses(
  jobs: readonly UsingJob[],
  keys: readonly string[],
  prices: Prices | undefined,
): readonly UseGroup[] {
  const functions = keys.map((key) => [key, keyFunction(key)] as const);
  const groups = new Map<string, { by: UseGroup['by']; jobs: Set<UsingJob>; uses: DeviceUse[] }>();
  for (const job of jobs)
    for (const use of job.uses) {
      const by = Object.fromEntries(functions.map(([key, of]) => [key, of(job, use)]));
      const name = JSON.stringify(by);
      const group = groups.get(name) ?? { by, jobs: new Set<UsingJob>(), uses: [] };
      group.jobs.add(job);
      group.uses.push(use);
      groups.set(name, group);
    }
  return [...groups.values()]
    .map(({ by, jobs: own, uses }) => ({ by, jobs: own.size, resources: pricedSumsOf(uses, prices) }))
    .sort((a, b) => (b.resources[0]?.ms ?? 0) - (a.resources[0]?.ms ?? 0));
}
