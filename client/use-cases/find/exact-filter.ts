import { type ExactFilter, FILTERS, type FilterValues } from '../../../contracts/filters.ts';
import { REASON_CODES } from '../../../contracts/reasons.ts';
import { PHASES } from '../../../contracts/status.ts';
import { keysOf } from '../../../language/fields.ts';
import { orMeant } from '../../../language/meant.ts';
import { RefusedError } from '../../errors/errors.ts';
import type { ArchivedJobFilter, JobFilter } from './job-filter.ts';

/** Reads a filter. Throws `RefusedError` for an unknown word or an invalid time. */
export async function exactFilter(filter: JobFilter | ArchivedJobFilter): Promise<ExactFilter> {
  const given: ArchivedJobFilter = filter;
  const read = keysOf(FILTERS).map(async (name) => {
    const value = given[name];
    return [name, value === undefined ? undefined : await READERS[FILTERS[name].takes](name, value)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

type Reader = (field: string, given: unknown) => unknown;

/** Each returns undefined for what matches every job. */
const READERS: Readonly<Record<keyof FilterValues, Reader>> = {
  text: (_field, text) => text,
  kind: async (field, kind) => wordOf(field, kind, await jobKinds()),
  phases: (field, phases) => {
    const given = [phases].flat();
    return given.length === 0 ? undefined : Promise.all(given.map((phase) => wordOf(field, phase, PHASES)));
  },
  reason: (field, reason) => wordOf(field, reason, REASON_CODES),
  labels: (_field, labels) => labels,
  time: timeOf,
};

/** Loads the kinds only when needed. */
const jobKinds = async (): Promise<readonly string[]> => (await import('../../manifests/kinds.ts')).JOB_KINDS;

async function wordOf<T extends string>(field: string, given: unknown, words: readonly T[]): Promise<T> {
  const word = words.find((one) => one.toLowerCase() === String(given).toLowerCase());
  if (word !== undefined) return word;
  const { nearest } = await import('../../../language/did-you-mean.ts');
  const meant = orMeant(nearest(String(given), words));
  throw new RefusedError(
    `filter.${field}: expected one of ${words.join(', ')}, got ${String(given)}${meant}`,
  );
}

function timeOf(field: string, given: unknown): Date {
  const time = new Date(given as Date | string);
  if (!Number.isNaN(time.getTime())) return time;
  throw new RefusedError(
    `filter.${field}: expected a Date or a time as 2026-11-23T08:00:00Z, got ${String(given)}.`,
  );
}
