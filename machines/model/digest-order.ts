import type { Digest, RoleDigest } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import { gangTraits } from '../../contracts/training-job.ts';
import { ownValue } from '../../language/fields.ts';
import { unionRanges } from '../../language/index-ranges.ts';
import type { JobContext } from './job-context.ts';
import { isCharged } from './role-counts.ts';

/** Whether a digest is newer than the known one. Digests about another run or an older attempt are not. */
export function isNewDigest(context: JobContext, digest: Digest): boolean {
  const { anchorUid, attempt, digest: known } = context;
  if (digest.anchor !== anchorUid) return false;
  if (digest.attempt !== 0 && digest.attempt !== attempt) return false;
  if (!known) return true;
  // A deleted anchor does not return under the same uid.
  if (known.anchorDeleted) return false;
  const { pods, nodes } = digest.resourceVersions;
  const groups = groupsResourceVersion(context, digest);
  const knownGroups = groupsResourceVersion(context, known);
  // If either digest has not read the groups, their order is unknown.
  const older = pods < known.resourceVersions.pods || (groups ?? Infinity) < (knownGroups ?? 0);
  const same = pods === known.resourceVersions.pods && groups === knownGroups;
  // Each watcher reads nodes, logs and Services at its own pace: compare for equality, never for order. An answer has
  // proof of its own that it is true after the question.
  const alike =
    nodes === known.resourceVersions.nodes &&
    digest.lastReportAt === known.lastReportAt &&
    (digest.answers ?? 0) <= (known.answers ?? 0) &&
    (digest.lane?.at ?? 0) <= (known.lane?.at ?? 0) &&
    digest.eviction?.reason === known.eviction?.reason &&
    digest.missingServices?.at === known.missingServices?.at &&
    isToldAlike(context, digest.gang, known.gang) &&
    digest.progressFault === known.progressFault &&
    digest.noSteps === known.noSteps &&
    // That one is over is told when its quiet time is, and nothing may have been read since.
    JSON.stringify(digest.noticed) === JSON.stringify(known.noticed);
  return digest.anchorDeleted || (!older && !(same && alike));
}

/** Only for the scheduler that places the job: groups of others may appear and disappear. */
function groupsResourceVersion({ gang }: JobContext, { resourceVersions }: Digest): number | undefined {
  const { groups } = gangTraits(gang);
  return groups && resourceVersions.groups[groups];
}

/** What is decided of a gated gang has no resource version: nodes and pods of others decide it. */
const isToldAlike = ({ gang }: JobContext, a: Digest['gang'], b: Digest['gang']): boolean =>
  !gangTraits(gang).isGated ||
  (a?.reason === b?.reason && a?.message === b?.message && a?.lift?.until === b?.lift?.until);

/** Returns the context after a newer digest. */
export function withDigest(context: JobContext, received: Digest): JobContext {
  const digest = ofAttempt(received, context.attempt);
  const { present, earlier, replaced } = context.restarts;
  const restarts = restartsIn(context, digest);
  // Restart counts vanish with their pods: keep the difference when the sum falls.
  const lost = Math.max(0, present - restarts);
  return {
    ...context,
    digest,
    digestAt: context.at,
    succeededIndices: isBeforeChange(context, digest)
      ? context.succeededIndices
      : remember(context.succeededIndices, digest.roles),
    restarts: { replaced, earlier: earlier + lost, present: restarts },
    progress: progressIn(context, digest),
  };
}

/** Ignores deleted pods of an earlier attempt: no pod of this attempt has existed yet. */
const ofAttempt = (digest: Digest, attempt: number): Digest =>
  digest.goneOf === undefined || digest.goneOf === attempt
    ? digest
    : { ...digest, roles: {}, vanished: undefined };

/**
 * After a change, requires digests that have seen it. Keeps successes from a digest that arrived meanwhile and has seen
 * it: later digests may not report them again.
 */
export function withMinResourceVersion(
  context: JobContext,
  resourceVersion: number,
): Pick<JobContext, 'minResourceVersion' | 'succeededIndices'> {
  const { digest, succeededIndices } = context;
  const minResourceVersion = Math.max(context.minResourceVersion, resourceVersion);
  const hasSeen = digest !== undefined && digest.resourceVersions.pods >= minResourceVersion;
  return {
    minResourceVersion,
    succeededIndices: hasSeen ? remember(succeededIndices, digest.roles) : succeededIndices,
  };
}

/** Sums the roles whose restarts count. A watcher that does not distinguish roles reports only the total. */
function restartsIn({ plan }: JobContext, { roles, restarts }: Digest): number {
  const counting = plan.roles.filter(isCharged).map(({ name }) => ownValue(roles, roleKey(name))?.restarts);
  const hasRestarts = Object.values(roles).some((role) => role.restarts !== undefined);
  return hasRestarts ? counting.reduce<number>((sum, count) => sum + (count ?? 0), 0) : restarts;
}

/** A digest with progress is sent now and then: the report that it has may be older. */
function progressIn({ progress, at }: JobContext, digest: Digest): JobContext['progress'] {
  const { value, count, ageMs } = digest.progress ?? {};
  if (value === undefined || count === undefined) return progress;
  if (progress?.value === value && progress.count === count) return progress;
  // Clocks are not compared: the watcher's says how long ago, the workflow's when. The way of the digest only makes it later.
  return { value, count, at, ...(ageMs === undefined ? {} : { reportedAt: at - ageMs }) };
}

/** When a role restarts, its succeeded pods are deleted, too: earlier reports of their success do not count. */
const isBeforeChange = ({ restarting, minResourceVersion }: JobContext, { resourceVersions }: Digest) =>
  (restarting?.scope === 'role' && restarting.effect !== undefined) ||
  resourceVersions.pods < minResourceVersion;

function remember(
  known: JobContext['succeededIndices'],
  roles: Readonly<Record<string, RoleDigest>>,
): JobContext['succeededIndices'] {
  const done = { ...known };
  for (const [role, { succeededIndices: ranges }] of Object.entries(roles)) {
    if (ranges) done[role] = unionRanges(ownValue(done, role) ?? '', ranges);
  }
  return done;
}
