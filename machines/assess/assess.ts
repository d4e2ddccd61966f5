import type { Digest, RoleDigest } from '../../contracts/digest.ts';
import type { PlannedRevision } from '../../contracts/job-revision.ts';
import { waitsForOthers } from '../../contracts/roles.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { isWaitingInBrokenGang } from '../gang/incomplete-gang.ts';
import { launchableRoles, presentRoles } from '../gang/launch-order.ts';
import { hasExcessPods, scalesLive } from '../gang/scaling.ts';
import type { Assessment, Verdict } from '../model/assessment.ts';
import type { JobContext } from '../model/job-context.ts';
import { digestOf } from '../model/role-counts.ts';
import { hasOutlivedAvoidance } from '../nodes/node-avoidance.ts';
import {
  decide,
  findTroubles,
  summarizeTroubles,
  type Troubles,
  UNCHARGED,
} from '../restart/restart-decision.ts';
import { evictionOf } from '../stopping/eviction.ts';
import { endingReaction } from './ending-reaction.ts';
import { findTooFew, hasSucceeded } from './success-policy.ts';

/** Called for each change of the context; `withAssessment` stores the result. */
export function assess(context: JobContext): Assessment {
  const { digest } = context;
  if (!digest) return { is: 'undecided' };
  const found = findTroubles(context);
  const verdict = verdictOf(context, digest, found);
  const troubles = summarizeTroubles(found);
  return troubles ? { ...verdict, troubles } : verdict;
}

function verdictOf(context: JobContext, digest: Digest, troubles: Troubles): Verdict {
  if (digest.anchorDeleted) return { is: 'stopped', cause: ANCHOR_DELETED };
  if (digest.resourceVersions.pods < context.minResourceVersion) return { is: 'undecided' };
  if (hasSucceeded(context)) return { is: 'succeeded' };
  const cause = evictionOf(context);
  if (cause) return { is: 'evicted', cause };
  if (hasExcessPods(context)) return { is: 'undecided' };
  const ended = endedByRule(context);
  if (ended) return ended;
  const tooFew = findTooFew(context);
  return (
    decide(context, troubles) ??
    (tooFew ? { is: 'failed', cause: tooFew } : undefined) ??
    (isWaitingInBrokenGang(context) || hasOutlivedAvoidance(context) ? ANEW : progressOf(context))
  );
}

/**
 * Returns the context with its assessment. Each event and each action that changes the context ends with it; guards,
 * actions, effects and the timeline only read the result.
 */
export const withAssessment = (context: JobContext): JobContext => ({
  ...context,
  assessment: assess(context),
});

function endedByRule(context: JobContext): Verdict | undefined {
  const reaction = endingReaction(context);
  if (reaction?.do === 'stop') return { is: 'ended', cause: { reason: 'StoppedByRule', ...reaction.cause } };
  if (reaction?.do !== 'suspend') return undefined;
  return { is: 'suspended', cause: { reason: 'Suspended', ...reaction.cause } };
}

/** Nothing is lost: waiting pods are recreated, outside the gang or without the avoidance that has expired. */
const ANEW: Verdict = { is: 'broken', ...UNCHARGED };

const ANCHOR_DELETED: Cause = {
  reason: 'AnchorDeleted',
  message:
    'somebody deleted the ConfigMap that owns all objects of the job (its anchor), so Kubernetes deleted its pods and Services',
};

const resizing = (context: JobContext, { plan }: PlannedRevision): Verdict => ({
  is: scalesLive(context, plan) ? 'resized' : 'resizedAnew',
});

function progressOf(context: JobContext): Verdict {
  if (context.amended) return resizing(context, context.amended);
  if (launchableRoles(context).length > 0) return { is: 'launchable' };
  // A launcher that has no node yet does not undo the scheduling of the gang.
  const gang = context.plan.roles.filter((role) => !waitsForOthers(role));
  if (gang.some((role) => lacks(context, role, ({ unscheduled }) => unscheduled)))
    return { is: 'scheduling' };
  const isUnready = (role: PlannedRole) =>
    lacks(context, role, ({ unscheduled, scheduled, terminating }) => unscheduled + scheduled + terminating);
  return { is: context.plan.roles.some(isUnready) || presentRoles(context) ? 'starting' : 'running' };
}

/** Whether more pods of a role are in a state than the role can spare. */
function lacks(context: JobContext, role: PlannedRole, count: (counts: RoleDigest) => number): boolean {
  const spare = role.replicas - (role.enough ?? role.replicas);
  return count(digestOf(context, role)) > spare;
}
