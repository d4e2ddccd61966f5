import type { RoleDigest } from '../contracts/digest.ts';
import type { Cause } from '../contracts/status.ts';
import type { PlannedRole } from '../contracts/training-job.ts';
import { exceedsBackoffLimit } from './backoff-limit.ts';
import type { JobContext } from './job-context.ts';
import type { PodIdentity } from './job-events.ts';
import { canLaunch, isHeld, presentRoles } from './launch-order.ts';
import { findFinalFailure, findReplaceable } from './restart-policy.ts';
import { countMissing, digestOf, isCharged } from './role-counts.ts';
import { isStranded } from './stranded.ts';
import { hasSucceeded } from './success-policy.ts';

/** What the newest digest means for the job. */
export type Verdict =
  | { readonly is: 'undecided' }
  | { readonly is: 'stopped'; readonly cause: Cause }
  | { readonly is: 'succeeded' }
  | { readonly is: 'failed'; readonly cause: Cause }
  /** `restarts`: what it counts as against backoffLimit. */
  | { readonly is: 'broken'; readonly replace: readonly PodIdentity[]; readonly restarts: number }
  | { readonly is: 'launchable' }
  | { readonly is: 'scheduling' }
  | { readonly is: 'starting' }
  | { readonly is: 'running' };

export function verdictOf(context: JobContext): Verdict {
  const { digest, barrier } = context;
  if (digest?.anchorDeleted) return { is: 'stopped', cause: ANCHOR_DELETED };
  if (!digest || digest.revision.pods < barrier) return { is: 'undecided' };
  if (hasSucceeded(context)) return { is: 'succeeded' };
  const decided = findFailure(context) ?? findBreakage(context);
  return decided ?? (isStranded(context) ? STRANDED : progressOf(context));
}

/** Nothing is lost: what waits is made again outside of the gang. */
const STRANDED: Verdict = { is: 'broken', replace: [], restarts: 0 };

const ANCHOR_DELETED: Cause = {
  reason: 'AnchorDeleted',
  message: 'the anchor of the job was deleted from the cluster',
};

function findFailure(context: JobContext): Verdict | undefined {
  const cause =
    findFinalFailure(context) ??
    exceedsBackoffLimit(context, countFailed(context) + countChargedMissing(context));
  return cause && { is: 'failed', cause };
}

function findBreakage(context: JobContext): Verdict | undefined {
  if (countMissingOf(context.plan.roles, context) + countFailed(context) === 0) return undefined;
  const replace = findReplaceable(context).map(({ pod, uid }) => ({ pod, uid }));
  return { is: 'broken', replace, restarts: replace.length + countChargedMissing(context) };
}

function progressOf(context: JobContext): Verdict {
  if (canLaunch(context)) return { is: 'launchable' };
  // A launcher that has no node yet does not take back that the gang is placed.
  const gang = context.plan.roles.filter((role) => !isHeld(role));
  if (gang.some((role) => lacks(context, role, ({ unplaced }) => unplaced))) return { is: 'scheduling' };
  const isUnready = (role: PlannedRole) =>
    lacks(context, role, ({ unplaced, placed, leaving }) => unplaced + placed + leaving);
  return { is: context.plan.roles.some(isUnready) || presentRoles(context) ? 'starting' : 'running' };
}

/** More pods of a role are in a state than it can do without. */
function lacks(context: JobContext, role: PlannedRole, count: (counts: RoleDigest) => number): boolean {
  const spare = role.replicas - (role.enough ?? role.replicas);
  return count(digestOf(context, role)) > spare;
}

/** Failed pods by their count, as a digest does not describe every one of them; less those that are ignored. */
const countFailed = (context: JobContext) =>
  context.plan.roles.filter(isCharged).reduce((sum, role) => sum + digestOf(context, role).failed, 0);

const countChargedMissing = (context: JobContext) =>
  countMissingOf(context.plan.roles.filter(isCharged), context);

const countMissingOf = (roles: readonly PlannedRole[], context: JobContext) =>
  roles.reduce((sum, role) => sum + countMissing(context, role), 0);
