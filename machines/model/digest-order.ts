import type { Digest, RoleDigest } from '../../contracts/digest.ts';
import { unionRanges } from '../../contracts/index-ranges.ts';
import type { JobContext } from './job-context.ts';
import { isCharged } from './role-counts.ts';

/** Whether a digest says something newer than what is known; words about another run, or an older attempt, do not. */
export function isNewDigest(context: JobContext, digest: Digest): boolean {
  const { anchorUid, attempt, digest: known } = context;
  if (digest.anchor !== anchorUid) return false;
  if (digest.attempt !== 0 && digest.attempt !== attempt) return false;
  if (!known) return true;
  // What was deleted does not come back under the same uid.
  if (known.anchorDeleted) return false;
  const { pods, nodes, progress } = digest.revision;
  const groups = groupsRevision(context, digest);
  const knownGroups = groupsRevision(context, known);
  // Nothing can be said of the order of groups that one of the two has not read.
  const older = pods < known.revision.pods || (groups ?? Infinity) < (knownGroups ?? 0);
  const same = pods === known.revision.pods && groups === knownGroups;
  // Of these only a change is told: another watcher may count them otherwise.
  const alike =
    nodes === known.revision.nodes &&
    progress === known.revision.progress &&
    digest.answers === known.answers &&
    digest.unheard === known.unheard;
  return digest.anchorDeleted || (!older && !(same && alike));
}

/** Only of the scheduler that places the job: groups of others may come and go. */
const groupsRevision = ({ gang }: JobContext, { revision }: Digest) =>
  gang === 'none' ? undefined : revision.groups[gang];

/** What is known after a newer digest. */
export function withDigest(context: JobContext, told: Digest, at = 0): JobContext {
  const digest = ofAttempt(told, context.attempt);
  const { present, earlier, replaced } = context.restarts;
  const restarts = restartsIn(context, digest);
  // Restart counts vanish with their pods; a sum that falls has lost what it fell by.
  const lost = Math.max(0, present - restarts);
  return {
    ...context,
    digest,
    succeededIndices: isBeforeChange(context, digest)
      ? context.succeededIndices
      : remember(context.succeededIndices, digest.roles),
    restarts: { replaced, earlier: earlier + lost, present: restarts },
    progress: progressIn(context, digest, at),
  };
}

/** Pods of an earlier attempt that are gone say nothing of this one: none of its pods has been there yet. */
const ofAttempt = (digest: Digest, attempt: number): Digest =>
  digest.goneOf === undefined || digest.goneOf === attempt
    ? digest
    : { ...digest, roles: {}, vanished: undefined };

/**
 * What is known once a change is made: from now on only what was seen after it counts, and what was heard of that
 * meanwhile, which may never be told again.
 */
export function withMinRevision(
  context: JobContext,
  revision: number,
): Pick<JobContext, 'minRevision' | 'succeededIndices'> {
  const { digest, succeededIndices } = context;
  const minRevision = Math.max(context.minRevision, revision);
  const hasSeen = digest !== undefined && digest.revision.pods >= minRevision;
  return {
    minRevision,
    succeededIndices: hasSeen ? remember(succeededIndices, digest.roles) : succeededIndices,
  };
}

/** Of roles whose restarts count; a watcher that does not tell roles apart tells their sum. */
function restartsIn({ plan }: JobContext, { roles, restarts }: Digest): number {
  const counting = plan.roles.filter(isCharged).map(({ name }) => roles[name.toLowerCase()]?.restarts);
  const isTold = Object.values(roles).some((role) => role.restarts !== undefined);
  return isTold ? counting.reduce<number>((sum, count) => sum + (count ?? 0), 0) : restarts;
}

function progressIn({ progress }: JobContext, digest: Digest, at: number): JobContext['progress'] {
  const { value, count } = digest.progress ?? {};
  if (value === undefined || count === undefined) return progress;
  return progress?.value === value && progress.count === count ? progress : { value, count, at };
}

/** Of roles that start again, those pods go too that had succeeded: what is told of them before means nothing. */
const isBeforeChange = ({ restarting, minRevision }: JobContext, { revision }: Digest) =>
  (restarting?.scope === 'role' && restarting.effect !== undefined) || revision.pods < minRevision;

function remember(
  known: JobContext['succeededIndices'],
  roles: Readonly<Record<string, RoleDigest>>,
): JobContext['succeededIndices'] {
  const done = { ...known };
  for (const [role, { succeededIndices: ranges }] of Object.entries(roles)) {
    if (ranges) done[role] = unionRanges(done[role] ?? '', ranges);
  }
  return done;
}
