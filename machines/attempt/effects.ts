import type { CleanUpScope } from '../../contracts/clean-up.ts';
import { gangTraits } from '../../contracts/training-job.ts';
import { findFatalCrash } from '../failures/in-place.ts';
import { hostListToPublish } from '../gang/host-list.ts';
import { isWaitingInBrokenGang, joinsGang } from '../gang/incomplete-gang.ts';
import { launchableRoles, presentRoles } from '../gang/launch-order.ts';
import { enoughMembers, isLifted } from '../gang/lift.ts';
import { servicesToRestore } from '../gang/missing-services.ts';
import type { Effect, Replacement } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import { grantOf } from '../model/lane-grant.ts';
import { runPolicyOf } from '../model/policy.ts';
import type { Restart } from '../model/restart.ts';
import { digestOf } from '../model/role-counts.ts';
import { mayLeavePods } from '../nodes/left-behind.ts';
import { hasOutlivedAvoidance, nodesToAvoid } from '../nodes/node-avoidance.ts';
import { wantedSpares } from '../spares/keep-spares.ts';
import { checkpointGrace } from '../stopping/checkpoint.ts';
import { cleanUpScope } from '../stopping/clean-up-policy.ts';
import { forceDeleteAt } from '../stopping/stuck-pods.ts';
import { survivorGrace } from '../stopping/survivor-grace.ts';

/** Builds effects from the context of a job. */

export const createGroupEffect = ({ attempt }: JobContext): Effect => ({ type: 'createGroup', attempt });

export const createAttemptEffect = (context: JobContext): Effect => ({
  type: 'createAttempt',
  attempt: context.attempt,
  roles: presentRoles(context),
  avoid: nodesToAvoid(context),
  ...meeting(context),
  ...(context.restarting?.taken ? { taken: context.restarting.taken } : {}),
  ...(gangTraits(context.gang).isGated && context.activeSince !== undefined
    ? { queuedSince: context.activeSince }
    : {}),
  ...(context.gate === 'lane' && !context.holdsPlace ? { grantedUntil: grantOf(context) } : {}),
});

export const liftGatesEffect = ({ attempt, digest }: JobContext): Effect => {
  const { until = 0, roles = [], onQuota } = digest?.gang?.lift ?? {};
  return { type: 'liftGates', attempt, until, roles, ...(onQuota ? { onQuota } : {}) };
};

export const rollBackEffect = (context: JobContext): Effect => ({
  type: 'rollBack',
  attempt: context.attempt,
  enough: enoughMembers(context),
});

export const publishHostListEffect = (context: JobContext): Effect => ({
  type: 'publishHostList',
  attempt: context.attempt,
  hash: hostListToPublish(context) ?? '',
});

export const restoreServicesEffect = (context: JobContext): Effect => ({
  type: 'restoreServices',
  attempt: context.attempt,
  names: servicesToRestore(context, context.digest),
});

export const launchEffect = (context: JobContext): Effect => ({
  type: 'launch',
  attempt: context.attempt,
  roles: context.launching ?? launchableRoles(context),
  succeededIndices: context.succeededIndices,
  avoid: nodesToAvoid(context),
  ...meeting(context),
});

const meeting = ({ leftBehind }: JobContext) => (leftBehind ? { meeting: leftBehind } : {});

/** Expects a context that already avoids the nodes that the restart blames. */
export function restorePodsEffect(context: JobContext, restart?: Restart): Effect {
  const roles = restart?.roles.length ? restart.roles : undefined;
  return {
    type: 'restorePods',
    attempt: context.attempt,
    replace: restart?.replace ?? [],
    replaceAlso: restart?.replaceAlso,
    ...(restart?.partitions ? { partitions: restart.partitions } : {}),
    succeededIndices: context.succeededIndices,
    // Some schedulers count only live pods: once a member has succeeded, a replacement would wait in the gang forever.
    ...joining(context),
    leaveGang: isWaitingInBrokenGang(context) || undefined,
    avoidedUntil: hasOutlivedAvoidance(context) ? context.at : undefined,
    roles: presentRoles(context),
    avoid: nodesToAvoid(context),
    ...meeting(context),
    restartRoles: roles,
    survivors: roles && restart && survivorGrace(context, restart),
    incarnations: context.incarnations,
  };
}

/** A job that gives back its place gives back those of its spares. */
export const drainEffect = (context: JobContext): Effect => ({
  type: 'drain',
  attempt: context.attempt,
  ...(wantedSpares(context) > 0 && !context.eviction
    ? { keepsSpares: true, taken: context.restarting?.taken }
    : {}),
  ...(context.restarting?.survivors ? { survivors: context.restarting.survivors } : {}),
  ...leaving(context),
});

/** Only once the context says that the next attempt has to meet elsewhere. */
const leaving = (context: JobContext) =>
  context.isUnanswered && mayLeavePods(context) ? { leavesSilent: true } : {};

/** Returns the effect with `again` if pods were left, and with `force` once the policy allows force deletion. */
export function retried(effect: Effect, context: JobContext, at: number): Effect {
  const isForced = at >= (forceDeleteAt(context) ?? Number.POSITIVE_INFINITY);
  return {
    ...effect,
    ...(context.terminating ? { again: true } : {}),
    ...(isForced ? { force: true } : {}),
  } as Effect;
}

/** Includes the replacement that the resize interrupted: it is charged already. */
export const scaleEffect = (context: JobContext): Effect => ({
  ...replacementOf(context.restarting?.effect),
  type: 'scale',
  attempt: context.attempt,
  succeededIndices: context.succeededIndices,
  ...joining(context),
  roles: presentRoles(context),
  avoid: nodesToAvoid(context),
  ...meeting(context),
  incarnations: context.incarnations,
});

/** Members of a gang that was lifted join it without a gate. */
function joining(context: JobContext): { readonly asGang: boolean; readonly isLifted?: boolean } {
  const asGang = joinsGang(context);
  return { asGang, ...(asGang && isLifted(context) ? { isLifted: true } : {}) };
}

function replacementOf(effect: Effect | undefined): Partial<Replacement> {
  if (effect?.type !== 'restorePods') return {};
  const { replace, replaceAlso, leaveGang, avoidedUntil, restartRoles, taken, partitions } = effect;
  return {
    ...{ replace, replaceAlso, leaveGang, avoidedUntil, restartRoles },
    ...(taken ? { taken } : {}),
    ...(partitions ? { partitions } : {}),
  };
}

export const requestCheckpointEffect = ({ attempt }: JobContext): Effect => ({
  type: 'requestCheckpoint',
  attempt,
});

export const suspendEffect = (context: JobContext): Effect => ({ type: 'suspend', ...leaving(context) });

export const cleanUpEffect = (context: JobContext): Effect => ({
  type: 'cleanUp',
  outcome: context.outcome!.phase,
  scope: scopeOf(context)!,
  ...checkpointGrace(context),
});

/** Returns what the clean-up removes; undefined before the outcome is decided. */
export function scopeOf(context: JobContext): CleanUpScope | undefined {
  const { outcome, minResourceVersion } = context;
  if (!outcome) return undefined;
  return cleanUpScope(outcome.phase, outcome.cause, {
    policy: runPolicyOf(context).cleanPodPolicy,
    wasCreated: minResourceVersion > 0,
    neverRan: hasSpareWaiting(context),
    isRestarted: outcome.phase === 'Failed' && findFatalCrash(context) !== undefined,
  });
}

/** Whether workers of an elastic job have no node when it ends. */
const hasSpareWaiting = (context: JobContext) =>
  context.plan.roles.some((role) => role.enough !== undefined && digestOf(context, role).unscheduled > 0);
