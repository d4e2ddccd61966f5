import type { RoleDigest } from '../contracts/digest.ts';
import type { Cause } from '../contracts/status.ts';
import type { PlannedRole } from '../contracts/training-job.ts';
import type { JobContext } from './job-context.ts';
import { canLaunch, isHeld, presentRoles } from './launch-order.ts';
import { hasOutlivedAvoidance } from './node-avoidance.ts';
import { type Decision, decide, UNCHARGED } from './restart-decision.ts';
import { digestOf } from './role-counts.ts';
import { scalesLive, tellsOfExcess } from './scaling.ts';
import { isStranded } from './stranded.ts';
import { hasSucceeded } from './success-policy.ts';

/** What the newest digest means for the job. */
export type Assessment =
  | { readonly is: 'undecided' }
  | { readonly is: 'stopped'; readonly cause: Cause }
  | { readonly is: 'succeeded' }
  | Decision
  /** Its roles are to have other sizes: while it runs, or with a new start. */
  | { readonly is: 'resized' | 'resizedAnew' }
  | { readonly is: 'launchable' }
  | { readonly is: 'scheduling' }
  | { readonly is: 'starting' }
  | { readonly is: 'running' };

/** Decided once for each change of the context, and kept there: see `assessed`. */
export function assess(context: JobContext): Assessment {
  const { digest, barrier } = context;
  if (digest?.anchorDeleted) return { is: 'stopped', cause: ANCHOR_DELETED };
  if (!digest || digest.revision.pods < barrier) return { is: 'undecided' };
  if (hasSucceeded(context)) return { is: 'succeeded' };
  if (tellsOfExcess(context)) return context.amended ? resizing(context) : { is: 'undecided' };
  return (
    decide(context) ?? (isStranded(context) || hasOutlivedAvoidance(context) ? ANEW : progressOf(context))
  );
}

/** The context with what it means: guards, actions and effects all read the same assessment. */
export const assessed = (context: JobContext): JobContext => ({ ...context, assessment: assess(context) });

/** Nothing is lost: what waits is made again, outside of the gang, or free to be placed where it may be now. */
const ANEW: Assessment = { is: 'broken', ...UNCHARGED };

const ANCHOR_DELETED: Cause = {
  reason: 'AnchorDeleted',
  message: 'the anchor of the job was deleted from the cluster',
};

const resizing = (context: JobContext): Assessment => ({
  is: scalesLive(context) ? 'resized' : 'resizedAnew',
});

function progressOf(context: JobContext): Assessment {
  if (context.amended) return resizing(context);
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
