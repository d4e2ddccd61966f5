import { describeTaken, type TakenPlace } from '../../contracts/spares.ts';
import { ownValue } from '../../language/fields.ts';
import { countInPlace, countRestarts, type JobContext } from '../model/job-context.ts';
import { jobPolicy, ownPolicy } from '../model/policy.ts';
import type { Restart } from '../model/restart.ts';
import { withUnanswered } from '../nodes/left-behind.ts';
import { withAvoided } from '../nodes/node-avoidance.ts';
import { nextBackOff } from '../restart/back-off.ts';
import { withCharges, withoutCharges } from '../restart/failure-budget.ts';
import { withoutPartitions } from '../restart/partitions.ts';
import { furthestProgress, isFurther } from '../restart/progress.ts';
import { explainReplacement, explainRestart } from '../restart/renewal.ts';
import { onNextRung } from '../restart/restart-ladder.ts';
import { ruleOfRestart } from '../restart/rule-of-restart.ts';
import { placesToTake, withTaken } from '../spares/take-places.ts';
import { survivorGrace } from '../stopping/survivor-grace.ts';
import { recoveryFrom } from '../timeouts/recovery.ts';
import { restorePodsEffect } from './effects.ts';
import { newAttempt } from './new-attempt.ts';
import { nextUnpaced } from './unpaced.ts';

/** Context changes when pods, roles or the gang restart. */

/** Deleted and missing pods are recreated at once, unless that did not help the last time; failed pods wait. */
export function startBackOff(context: JobContext, at: number): Partial<JobContext> {
  const restart = restartOf(context);
  const isUnderWay = context.backsOffUntil !== undefined;
  if (!restart || isUnderWay || context.skipsBackOff) return {};
  if (restart.atOnce) {
    const unpaced = nextUnpaced(context, restart, at);
    return unpaced.at > at ? { unpaced, backsOffUntil: unpaced.at } : { unpaced };
  }
  const rules = jobPolicy(context).restart.backOff;
  const backOff = nextBackOff(context.backOff, at, { rules, seed: context.anchorUid });
  return backOff.at > at ? { backOff, backsOffUntil: backOff.at } : { backOff };
}

/** Builds the effect now, so a retry or a new run performs exactly the same one. */
export function beforeReplacing(context: JobContext): Partial<JobContext> {
  const restart = restartOf(context);
  if (!restart)
    return {
      restarting: { scope: 'pod', why: explainReplacement(context), effect: restorePodsEffect(context) },
    };
  const incarnations = { ...context.incarnations };
  const { roles, replaceAlso = {}, partitions = {} } = restart;
  const renewed = new Set([...roles, ...Object.keys(replaceAlso), ...Object.keys(partitions)]);
  for (const role of renewed) incarnations[role] = (ownValue(incarnations, role) ?? 0) + 1;
  const next: JobContext = {
    ...context,
    incarnations: renewed.size > 0 ? incarnations : context.incarnations,
    avoided: withAvoided(context, restart.nodes),
  };
  const why = explainRestart(context);
  const taken = placesToTake(next);
  const effect = {
    ...restorePodsEffect(next, restart),
    succeededIndices: withoutRestarted(context.succeededIndices, restart),
    ...(taken ? { taken } : {}),
  };
  return {
    incarnations: next.incarnations,
    avoided: next.avoided,
    ...withTaken(context, taken),
    restarting: {
      scope: restart.scope,
      why: withPlaces(why, taken),
      rule: ruleOfRestart(context, restart),
      ...{ effect, restart },
    },
  };
}

const withPlaces = (why: string, taken: readonly TakenPlace[] | undefined) =>
  taken ? `${why}; ${describeTaken(taken)}` : why;

/** Succeeded replicas of a role or a partition restart with the others. */
const withoutRestarted = (
  indices: JobContext['succeededIndices'],
  { roles, partitions }: Restart,
): JobContext['succeededIndices'] =>
  Object.fromEntries(
    Object.entries(withoutPartitions(indices, partitions)).filter(([role]) => !roles.includes(role)),
  );

/** Charges the restart. Recovery is timed from now on. */
export function afterReplacing(context: JobContext, at: number): Partial<JobContext> {
  const { restart } = context.restarting ?? {};
  const begun = {
    deletingSince: at,
    backsOffUntil: undefined,
    startingSince: undefined,
    recovery: undefined,
    departure: undefined,
  };
  if (!restart) return { ...begun, ...SETTLED };
  return {
    ...withCost(context, restart),
    ...begun,
    succeededIndices: withoutRestarted(context.succeededIndices, restart),
    recovery: recoveryFrom(at, rungOf(context, restart)?.withinMs),
  };
}

export const RESTART_FOR_SIZES: Pick<JobContext, 'restarting'> = {
  restarting: { scope: 'gang', why: 'role sizes change' },
};

/**
 * Whether the gang is to restart whatever else happened: for new sizes, or because it was evicted. Any other restart of the
 * gang gets its scope in `restarting` only when its pods are being deleted, and nothing is decided any more.
 */
export const restartsAnyway = ({ restarting }: JobContext): boolean => restarting?.scope === 'gang';

/** Starts a gang restart. The back-off runs while the pods terminate. */
export function beforeDraining(context: JobContext, at: number): Partial<JobContext> {
  const begun = { deletingSince: at, ...withUnanswered(context, { areTold: true }) };
  // Charged to no budget, even if something also failed.
  if (restartsAnyway(context)) return begun;
  const restart = restartOf(context);
  if (!restart) return { ...begun, ...RESTART_FOR_SIZES };
  const why = explainRestart(context);
  const withinMs = rungOf(context, restart)?.withinMs;
  const avoided = withAvoided(context, restart.nodes);
  const taken = placesToTake({ ...context, avoided });
  const survivors = survivorGrace(context, restart);
  return {
    ...withCost(context, restart),
    ...begun,
    ...startBackOff(context, at),
    avoided,
    ...withTaken(context, taken),
    restarting: {
      ...{
        scope: restart.scope,
        why: withPlaces(why, taken),
        rule: ruleOfRestart(context, restart),
        withinMs,
      },
      charges: restart.charges,
      ...(taken ? { taken } : {}),
      ...(survivors ? { survivors } : {}),
    },
  };
}

export const nextAttempt = (context: JobContext): Partial<JobContext> => ({
  ...newAttempt(context),
  restarting: context.restarting,
});

/** Recovery is timed from when the objects exist: before that, the attempt may have waited for its scheduler. */
export const startRecovery = ({ restarting }: JobContext, at: number): Partial<JobContext> => ({
  recovery: recoveryFrom(at, restarting?.withinMs),
  restarting: undefined,
});

/** Resets what was charged, if the job runs and has just reported progress. `at`: when its digest came. */
export function withRefund(context: JobContext, at: number): Partial<JobContext> {
  const { restarts, exempt = 0, ladder, charges, backOff, assessment } = context;
  const hasSpent = countRestarts(restarts) > exempt || (ladder ?? charges ?? backOff) !== undefined;
  const isRefunded = hasSpent && jobPolicy(context).restart.refundOnProgress;
  return isRefunded && assessment.is === 'running' && isFurther(context, at) ? withoutCharges(context) : {};
}

export function restartsGang({ assessment }: JobContext): boolean {
  if (assessment.is === 'resizedAnew') return true;
  return assessment.is === 'broken' && (assessment.scope === 'gang' || assessment.scope === 'gangElsewhere');
}

const restartOf = ({ assessment }: JobContext): Restart | undefined =>
  assessment.is === 'broken' ? assessment : undefined;

const rungOf = (context: JobContext, { rung }: Restart) => jobPolicy(context).restart.ladder[rung];

function withCost(context: JobContext, restart: Restart): Partial<JobContext> {
  const { restarts } = context;
  const isClimbing = ownPolicy(context) !== undefined && restart.restarts > 0;
  return {
    ...withCharges(context, restart.charges),
    ...(isClimbing
      ? {
          ladder: onNextRung(context, restart.rung, restart.failedOn),
          forgottenInPlace: countInPlace(restarts),
        }
      : {}),
    restarts: { ...restarts, replaced: restarts.replaced + restart.restarts },
    ...withFollowed(context, restart),
    bestProgress: furthestProgress(context),
    ...SETTLED,
  };
}

/** Counts what rules of the manifest have restarted, where they may do so only so often. */
function withFollowed(context: JobContext, { followed, scope }: Restart): Partial<JobContext> {
  if (!followed) return {};
  const field = scope === 'pod' ? 'followedByPods' : 'followed';
  const counts = { ...context[field] };
  for (const [rule, times] of Object.entries(followed)) counts[rule] = (ownValue(counts, rule) ?? 0) + times;
  return { [field]: counts };
}

/** The restart handles the present trouble; whatever follows is a new failure. */
const SETTLED = { trouble: undefined, released: undefined, skipsBackOff: undefined } as const;
