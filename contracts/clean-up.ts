/**
 * Which pods, with their Services, go at the end: every one, those not finished, or none. `Everything` is every one, and
 * what the job shared among them.
 */
export type CleanUpScope = (typeof SCOPES)[number];

const SCOPES = ['Everything', 'All', 'Running', 'None'] as const;

/** As an anchor says it; undefined for anything else. */
export const parseCleanUpScope = (text: string | undefined): CleanUpScope | undefined =>
  SCOPES.find((scope) => scope === text);
