import type { JobContext } from './job-context.ts';

/**
 * Returns until when the attempt may take what its lane grants, by the clock of the API server; undefined if that grants nothing,
 * or it came too late for it. Only who takes it can tell whether it is over: Temporal's clock is another one.
 */
export function grantOf({ digest, attempt, passedGrant }: JobContext): number | undefined {
  const { lane } = digest ?? {};
  return lane?.attempt === attempt && lane.until !== passedGrant ? lane.until : undefined;
}
