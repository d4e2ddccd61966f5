import type { Endangered, PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';

/** Returns pods whose nodes have been in trouble for too long, as failures of their nodes. */
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

/** Returns when the next pod is lost unless its node recovers; undefined if none is at risk. */
export function nextLossAt(context: JobContext): number | undefined {
  const limit = limitOf(context);
  if (limit === undefined) return undefined;
  const lost = new Set(context.lost);
  const times = endangeredOf(context)
    .filter(({ uid }) => !lost.has(uid))
    .map(({ since }) => since + limit);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Returns the uids of pods that are lost by this time. */
export function podsLostBy(context: JobContext, at: number): readonly string[] {
  const limit = limitOf(context) ?? Number.POSITIVE_INFINITY;
  return endangeredOf(context)
    .filter(({ since }) => since + limit <= at)
    .map(({ uid }) => uid);
}

const limitOf = (context: JobContext) => jobPolicy(context).nodes.lostAfterMs;

/** Excess pods of a role are removed anyway: they cannot be lost. */
function endangeredOf(context: JobContext): readonly Endangered[] {
  const { troubles } = jobPolicy(context).nodes;
  const sizes = new Map(context.plan.roles.map(({ name, replicas }) => [roleKey(name), replicas]));
  return (context.digest?.endangered ?? []).filter(
    ({ trouble, role, index }) => troubles.includes(trouble) && index < (sizes.get(roleKey(role)) ?? 0),
  );
}
