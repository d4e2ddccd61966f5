// Generated from contracts/filters.ts by `npm run docs`.

import type { ReasonCode } from '../../../contracts/reasons.ts';
import type { Phase } from '../../../contracts/types.ts';

/**
 * Which jobs to list. What is not given matches every job. Phases, kinds and reasons may be in any letter case.
 *
 * @public
 */
export interface JobFilter {
  /** Only jobs of this namespace. */
  readonly namespace?: string;
  /** Only jobs of this name. */
  readonly name?: string;
  /** Only jobs of this kind, e.g. `PyTorchJob`. */
  readonly kind?: string;
  /** Only jobs with these labels in metadata.labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only jobs that this user submitted. */
  readonly submittedBy?: string;
  /** Only jobs submitted then or later; text is RFC 3339. */
  readonly since?: Date | string;
  /** Only jobs submitted before then; text is RFC 3339. */
  readonly until?: Date | string;
  /** Only jobs in this phase, or one of several. */
  readonly phase?: AnyCase<Phase> | readonly AnyCase<Phase>[];
  /** Only jobs with this reason, e.g. `NodeLost`. */
  readonly reason?: AnyCase<ReasonCode>;
  /** List at most this many. */
  readonly limit?: number;
  /** How many are fetched at a time; default: 500. */
  readonly pageSize?: number;
}

/**
 * Which archived jobs to list.
 *
 * @public
 */
export interface ArchivedJobFilter extends Omit<JobFilter, 'pageSize'> {
  /** Only jobs that ended then or later; text is RFC 3339. */
  readonly endedSince?: Date | string;
  /** Only jobs that ended before then; text is RFC 3339. */
  readonly endedBefore?: Date | string;
}

/**
 * A word in its usual or in lower case.
 *
 * @public
 */
export type AnyCase<T extends string> = T | Lowercase<T>;
