import { REASON_CODES, type ReasonCode } from '../../../contracts/reasons.ts';
import { PHASES, type Phase } from '../../../contracts/status.ts';
import { RefusedError } from '../../errors/errors.ts';

/**
 * Which jobs to list. Phases, kinds and reasons may be in any letter case.
 *
 * @public
 */
export interface JobFilter {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  /** One phase, or several. */
  readonly phase?: AnyCase<Phase> | readonly AnyCase<Phase>[];
  /** E.g. `PyTorchJob`. */
  readonly kind?: string;
  readonly reason?: AnyCase<ReasonCode>;
  readonly submittedBy?: string;
  /** Each label must be in metadata.labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Submitted at this time or later; text is RFC 3339. */
  readonly since?: Date | string;
  /** Submitted before this time; text is RFC 3339. */
  readonly until?: Date | string;
  /** List at most this many. */
  readonly limit?: number;
  /** How many are fetched at a time; default: 500. */
  readonly pageSize?: number;
}

/**
 * A word in its usual or in lower case.
 *
 * @public
 */
export type AnyCase<T extends string> = T | Lowercase<T>;

/** A filter as a query of the visibility store. */
export interface ExactFilter {
  readonly namespace?: string;
  readonly name?: string;
  readonly phases: readonly Phase[];
  readonly kind?: string;
  readonly reason?: ReasonCode;
  readonly submittedBy?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly since?: Date;
  readonly until?: Date;
}

/** Throws `RefusedError` for an unknown word or an invalid time. */
export async function exactFilter(filter: JobFilter): Promise<ExactFilter> {
  const { namespace, name, phase = [], kind, reason, submittedBy, labels = {}, since, until } = filter;
  const phases = typeof phase === 'string' ? [phase] : phase;
  return {
    ...{ namespace, name, submittedBy, labels },
    phases: phases.map((one) => wordOf('phase', one, PHASES)),
    kind: kind === undefined ? undefined : wordOf('kind', kind, await jobKinds()),
    reason: reason === undefined ? undefined : wordOf('reason', reason, REASON_CODES),
    since: filterTime('since', since),
    until: filterTime('until', until),
  };
}

/** Loads the kinds only when needed. */
const jobKinds = async (): Promise<readonly string[]> => (await import('../../manifests/kinds.ts')).JOB_KINDS;

function wordOf<T extends string>(field: string, given: string, words: readonly T[]): T {
  const word = words.find((one) => one.toLowerCase() === given.toLowerCase());
  if (word !== undefined) return word;
  throw new RefusedError(`filter.${field}: expected one of ${words.join(', ')}, got ${given}.`);
}

/** Throws `RefusedError` for a time that is none. */
export function filterTime(field: string, given: Date | string | undefined): Date | undefined {
  if (given === undefined) return undefined;
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time;
  throw new RefusedError(
    `filter.${field}: expected a Date or a time as 2026-11-23T08:00:00Z, got ${String(given)}.`,
  );
}
