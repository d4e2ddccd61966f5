import type { Endangered, PodFailure } from '../../contracts/digest.ts';
import { type JobContext, NODE_LOST } from '../model/job-context.ts';

import { jobPolicy, policyRule } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';
import { withoutTimers, withTimer } from '../model/timers.ts';

/** Pods on nodes that have been in trouble for too long, as failures of their nodes. */
export function findLost(context: JobContext): readonly PodFailure[] {
  const lost = new Set(context.lost);
  return endangeredOf(context)
    .filter(({ uid }) => lost.has(uid))
    .map(({ pod, uid, role, index, node, trouble, since }) => ({
      pod,
      uid,
      role,
      index,
      node,
      reason: 'NodeLost',
      message: `${trouble} since ${timeOf(since)}; ${policyRule('nodes.lostAfter', `${limitOf(context)! / 1000}s`)}`,
    }));
}

/** When the next pod will be lost, if its node does not recover; undefined: none. */
export function nextLossAt(context: JobContext): number | undefined {
  const limit = limitOf(context);
  if (limit === undefined) return undefined;
  const lost = new Set(context.lost);
  const times = endangeredOf(context)
    .filter(({ uid }) => !lost.has(uid))
    .map(({ since }) => since + limit);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** The pods that are lost by now. */
export function podsLostBy(context: JobContext, at: number): readonly string[] {
  const limit = limitOf(context) ?? Number.POSITIVE_INFINITY;
  return endangeredOf(context)
    .filter(({ since }) => since + limit <= at)
    .map(({ uid }) => uid);
}

const limitOf = (context: JobContext) => jobPolicy(context).nodes.lostAfterMs;

/** Pods beyond the size of their role are to go anyway: what becomes of them is no loss. */
function endangeredOf(context: JobContext): readonly Endangered[] {
  const { troubles } = jobPolicy(context).nodes;
  const sizes = new Map(context.plan.roles.map(({ name, replicas }) => [name.toLowerCase(), replicas]));
  return (context.digest?.endangered ?? []).filter(
    ({ trouble, role, index }) => troubles.includes(trouble) && index < (sizes.get(role.toLowerCase()) ?? 0),
  );
}

/**
 * The context with the time at which the next pod is lost with its node; the same one if that has not changed. No time
 * runs while a job is suspended.
 */
export function withLossTimer(context: JobContext): JobContext {
  const at = context.suspension ? undefined : nextLossAt(context);
  if (at === context.deadlines[NODE_LOST]) return context;
  const others = withoutTimers(context, NODE_LOST);
  return { ...context, ...(at === undefined ? others : withTimer(others, NODE_LOST, at)) };
}
