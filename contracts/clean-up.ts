import type { ReasonCode } from './reasons.ts';

/**
 * Which pods clean-up deletes, with their Services: `All`, those that have not finished (`Running`), or `None`.
 * `Everything` deletes all pods and the job's shared objects.
 */
export type CleanUpScope = (typeof SCOPES)[number];

const SCOPES = ['Everything', 'All', 'Running', 'None'] as const;

/** A job that ends for one of these removes what still runs, also under a cleanPodPolicy that keeps all pods. */
export const MUST_END: ReadonlySet<ReasonCode | undefined> = new Set([
  'ClusterRefused',
  'NameTaken',
  'EngineFault',
  'DeadlineExceeded',
  'BackoffLimitExceeded',
  'FailureBudgetExceeded',
  'RestartsExhausted',
  'StartUpFailed',
  'NotPlacedInTime',
  'Stalled',
  'PodEvicted',
]);

/** Parses the annotation of an anchor. Undefined for any other text. */
export const parseCleanUpScope = (text: string | undefined): CleanUpScope | undefined =>
  SCOPES.find((scope) => scope === text);
