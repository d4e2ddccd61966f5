/**
 * Which pods clean-up deletes, with their Services: `All`, those that have not finished (`Running`), or `None`.
 * `Everything` deletes all pods and the job's shared objects.
 */
export type CleanUpScope = (typeof SCOPES)[number];

const SCOPES = ['Everything', 'All', 'Running', 'None'] as const;

/** Parses the annotation of an anchor. Undefined for any other text. */
export const parseCleanUpScope = (text: string | undefined): CleanUpScope | undefined =>
  SCOPES.find((scope) => scope === text);
