import type { Endangered, PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import { earliest, timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { findLeft, nextDepartureAt, podsLeavingBy } from './leaving-nodes.ts';
import { isLostUntold, needsGang } from './left-behind.ts';

/** Returns pods whose nodes have been in trouble for too long, as failures of their nodes, and those that leave their nodes. */
export function findLost(context: JobContext): readonly PodFailure[] {
  const lost = lostOf(context).map(({ pod, uid, role, index, node, trouble, since }) => ({
    ...{ pod, uid, role, index, node },
    reason: 'NodeLost',
    message: `${trouble} since ${timeOf(since)}; ${ruleOf(context)}`,
  }));
  const known = new Set(lost.map(({ uid }) => uid));
  return [...lost, ...findLeft(context).filter(({ uid }) => !known.has(uid))];
}

/** Whether pods are lost that only a restart of the gang can leave behind. */
export const losesGang = (context: JobContext): boolean => needsGang(context, lostOf(context));

/** Returns when the next pod is lost unless its node recovers; undefined if none is at risk. */
export function nextLossAt(context: JobContext): number | undefined {
  const lost = new Set(context.lost);
  const times = endangeredOf(context)
    .filter(({ uid }) => !lost.has(uid))
    .flatMap((pod) => lostAt(context, pod) ?? []);
  return earliest(times);
}

/** Returns when the next pod is lost, or leaves its node. */
export function nextFarewellAt(context: JobContext): number | undefined {
  const times = [nextLossAt(context), nextDepartureAt(context)].filter((time) => time !== undefined);
  return earliest(times);
}

/** Returns the uids of pods that are lost by this time, or have left their nodes. */
export const podsLostBy = (context: JobContext, at: number): readonly string[] => [
  ...new Set([...endangeredLostBy(context, at), ...podsLeavingBy(context, at)]),
];

export const endangeredLostBy = (context: JobContext, at: number): readonly string[] =>
  endangeredOf(context)
    .filter((pod) => (lostAt(context, pod) ?? Number.POSITIVE_INFINITY) <= at)
    .map(({ uid }) => uid);

function lostOf(context: JobContext): readonly Endangered[] {
  const lost = new Set(context.lost);
  return endangeredOf(context).filter(({ uid }) => lost.has(uid));
}

function lostAt(context: JobContext, pod: Endangered): number | undefined {
  const limit = limitOf(context);
  if (limit !== undefined) return pod.since + limit;
  return isLostUntold(context, pod) ? silentFrom(context, pod) : undefined;
}

/**
 * A job that reports progress trains on, although a kubelet is silent. The time moves in large steps, because each step is
 * a new timer in the history.
 */
function silentFrom({ progress }: JobContext, { since }: Endangered): number {
  if (!progress || progress.at <= since) return since;
  return (Math.ceil(progress.at / QUIET_MS) + 1) * QUIET_MS;
}

/** Longer than between most reports. */
const QUIET_MS = 120_000;

const limitOf = (context: JobContext) => jobPolicy(context).nodes.lostAfterMs;

function ruleOf(context: JobContext): string {
  const limit = limitOf(context);
  return limit === undefined
    ? 'Kubernetes deletes the pod, and its node does not answer'
    : policyRule('nodes.lostAfter', `${limit / 1000}s`);
}

/** Excess pods of a role are removed anyway: they cannot be lost. */
function endangeredOf(context: JobContext): readonly Endangered[] {
  const { troubles } = jobPolicy(context).nodes;
  const sizes = new Map(context.plan.roles.map(({ name, replicas }) => [roleKey(name), replicas]));
  return (context.digest?.endangered ?? []).filter(
    ({ trouble, role, index }) => troubles.includes(trouble) && index < (sizes.get(roleKey(role)) ?? 0),
  );
}
