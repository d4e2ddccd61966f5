import type { CleanUpScope } from '../../contracts/clean-up.ts';
import { hostListToPublish } from '../gang/host-list.ts';
import { isGangBroken, isWaitingInBrokenGang } from '../gang/incomplete-gang.ts';
import { laterRoles, presentRoles } from '../gang/launch-order.ts';
import { FORCE_DELETE, type JobContext } from '../model/job-context.ts';
import type { Effect } from '../model/job-events.ts';
import type { Restart } from '../model/restart.ts';
import { digestOf } from '../model/role-counts.ts';
import { hasOutlivedAvoidance, nodesToAvoid } from '../nodes/node-avoidance.ts';
import { checkpointGrace } from '../stopping/checkpoint.ts';
import { cleanUpScope } from '../stopping/clean-up-policy.ts';

/** What a job wants done, from what is known of it. */

export const createGroupEffect = ({ attempt }: JobContext): Effect => ({ type: 'createGroup', attempt });

export const createAttemptEffect = (context: JobContext): Effect => ({
  type: 'createAttempt',
  attempt: context.attempt,
  roles: presentRoles(context),
  avoid: nodesToAvoid(context),
});

export const publishHostListEffect = (context: JobContext): Effect => ({
  type: 'publishHostList',
  attempt: context.attempt,
  hash: hostListToPublish(context) ?? '',
});

export const launchEffect = (context: JobContext): Effect => ({
  type: 'launch',
  attempt: context.attempt,
  roles: laterRoles(context).map(({ name }) => name),
  succeededIndices: context.succeededIndices,
  avoid: nodesToAvoid(context),
});

/** Of a context in which the nodes that the restart blames are avoided already. */
export function restorePodsEffect(context: JobContext, restart?: Restart): Effect {
  const roles = restart?.roles.length ? restart.roles : undefined;
  return {
    type: 'restorePods',
    attempt: context.attempt,
    replace: restart?.replace ?? [],
    replaceAlso: restart?.replaceAlso,
    succeededIndices: context.succeededIndices,
    // Some gangs count live pods only: once a member has succeeded, a replacement would wait in them for ever.
    asGang: !isGangBroken(context),
    leaveGang: isWaitingInBrokenGang(context) || undefined,
    avoidedUntil: hasOutlivedAvoidance(context) ? context.at : undefined,
    roles: presentRoles(context),
    avoid: nodesToAvoid(context),
    restartRoles: roles,
    incarnations: context.incarnations,
  };
}

export const drainEffect = ({ attempt }: JobContext): Effect => ({ type: 'drain', attempt });

/** Once more, where pods were left; and by force, if it has taken as long as the policy allows. */
export function retried(effect: Effect, { deadlines, terminating }: JobContext, at: number): Effect {
  const isForced = at >= (deadlines[FORCE_DELETE] ?? Number.POSITIVE_INFINITY);
  return {
    ...effect,
    ...(terminating ? { again: true } : {}),
    ...(isForced ? { force: true } : {}),
  } as Effect;
}

export const scaleEffect = (context: JobContext): Effect => ({
  type: 'scale',
  attempt: context.attempt,
  succeededIndices: context.succeededIndices,
  asGang: !isGangBroken(context),
  roles: presentRoles(context),
  avoid: nodesToAvoid(context),
  incarnations: context.incarnations,
});

export const suspendEffect = (): Effect => ({ type: 'suspend' });

export const cleanUpEffect = (context: JobContext): Effect => ({
  type: 'cleanUp',
  outcome: context.outcome!.phase,
  scope: scopeOf(context)!,
  ...checkpointGrace(context),
});

/** What goes at the end of a job, once that is decided. */
export function scopeOf(context: JobContext): CleanUpScope | undefined {
  const { plan, outcome, minRevision } = context;
  if (!outcome) return undefined;
  return cleanUpScope(outcome.phase, outcome.cause, {
    policy: plan.runPolicy.cleanPodPolicy,
    wasCreated: minRevision > 0,
    neverRan: hasSpareWaiting(context),
  });
}

/** Workers of an elastic job that have no node when it ends. */
const hasSpareWaiting = (context: JobContext) =>
  context.plan.roles.some((role) => role.enough !== undefined && digestOf(context, role).unscheduled > 0);
