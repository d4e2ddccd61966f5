import type { JobContext } from './job-context.ts';

/** Returns until when the attempt may take what its lane grants; undefined if that grants nothing, or did too long ago. */
export function grantOf({ digest, attempt, at, passedGrant }: JobContext): number | undefined {
  const { lane } = digest ?? {};
  if (lane?.attempt !== attempt || lane.until === undefined) return undefined;
  return at <= lane.until && lane.until !== passedGrant ? lane.until : undefined;
}
