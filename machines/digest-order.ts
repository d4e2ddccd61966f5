import type { Digest, RoleDigest } from '../contracts/digest.ts';
import { unionRanges } from '../contracts/index-ranges.ts';
import type { JobContext } from './job-context.ts';

/** Whether a digest says something newer than what is known; words about another run, or an older attempt, do not. */
export function isNews({ anchorUid, attempt, digest: known }: JobContext, digest: Digest): boolean {
  if (digest.anchor !== anchorUid) return false;
  if (digest.attempt !== 0 && digest.attempt !== attempt) return false;
  if (!known) return true;
  // What was deleted does not come back under the same uid.
  if (known.anchorDeleted) return false;
  const { pods, groups } = digest.revision;
  const older = pods < known.revision.pods || groups < known.revision.groups;
  const same = pods === known.revision.pods && groups === known.revision.groups;
  return digest.anchorDeleted || (!older && !same);
}

/** What is known after a newer digest. */
export function withDigest(context: JobContext, digest: Digest): JobContext {
  const { present, earlier, replaced } = context.restarts;
  // Restart counts vanish with their pods; a sum that falls has lost what it fell by.
  const lost = Math.max(0, present - digest.restarts);
  return {
    ...context,
    digest,
    done: remember(context.done, digest.roles),
    restarts: { replaced, earlier: earlier + lost, present: digest.restarts },
  };
}

function remember(
  known: JobContext['done'],
  roles: Readonly<Record<string, RoleDigest>>,
): JobContext['done'] {
  const done = { ...known };
  for (const [role, { done: ranges }] of Object.entries(roles)) {
    if (ranges) done[role] = unionRanges(done[role] ?? '', ranges);
  }
  return done;
}
