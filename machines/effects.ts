import { cleanUpScope } from './clean-up-policy.ts';
import type { JobContext } from './job-context.ts';
import type { Effect } from './job-events.ts';
import { heldRoles, presentRoles } from './launch-order.ts';
import { digestOf } from './role-counts.ts';
import { rosterDue } from './roster.ts';
import { hasAnySucceeded, isStranded } from './stranded.ts';
import { verdictOf } from './verdict.ts';

/** What a job wants done, from what is known of it. */

export const createGroup = ({ attempt }: JobContext): Effect => ({ type: 'createGroup', attempt });

export const createAttempt = (context: JobContext): Effect => ({
  type: 'createAttempt',
  attempt: context.attempt,
  roles: presentRoles(context),
});

export const publishRoster = (context: JobContext): Effect => ({
  type: 'publishRoster',
  attempt: context.attempt,
  hash: rosterDue(context) ?? '',
});

export const launch = (context: JobContext): Effect => ({
  type: 'launch',
  attempt: context.attempt,
  roles: heldRoles(context).map(({ name }) => name),
  done: context.done,
});

export function restorePods(context: JobContext): Effect {
  const verdict = verdictOf(context);
  const replace = verdict.is === 'broken' ? verdict.replace : [];
  // Some gangs count live pods only: once a member has succeeded, a replacement would wait in them for ever.
  const asGang = !hasAnySucceeded(context);
  const leaveGang = isStranded(context) || undefined;
  const { attempt, done } = context;
  return { type: 'restorePods', attempt, replace, done, asGang, leaveGang, roles: presentRoles(context) };
}

export function cleanUp(context: JobContext): Effect {
  const { plan, outcome, barrier } = context;
  const { phase, cause } = outcome!;
  const scope = cleanUpScope(phase, cause, {
    policy: plan.runPolicy.cleanPodPolicy,
    wasCreated: barrier > 0,
    neverRan: hasSpareWaiting(context),
  });
  return { type: 'cleanUp', outcome: phase, scope };
}

/** Workers of an elastic job that have no node when it ends. */
const hasSpareWaiting = (context: JobContext) =>
  context.plan.roles.some((role) => role.enough !== undefined && digestOf(context, role).unplaced > 0);
