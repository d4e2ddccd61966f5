import { type AvoidedNode, stillAvoided } from '../../contracts/avoided-nodes.ts';
import { AVOIDANCE, type JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';
import { withoutTimers, withTimer } from '../model/timers.ts';

/** Of `gangElsewhere`, where the policy gives no time. */
const USUAL_MS = 3_600_000;

/** The list after these nodes failed the job: the latest first, no more than the policy allows. */
export function withAvoided(context: JobContext, nodes: readonly string[]): JobContext['avoided'] {
  if (nodes.length === 0) return context.avoided;
  const { avoidForMs = USUAL_MS, avoidAtMost } = jobPolicy(context).nodes;
  const at = context.at ?? 0;
  const fresh = [...new Set(nodes)].map((node) => ({ node, until: at + avoidForMs }));
  const older = (context.avoided ?? []).filter(({ node, until }) => until > at && !nodes.includes(node));
  return [...fresh, ...older].slice(0, avoidAtMost);
}

/**
 * Nodes to keep away from, as far as is known now: whoever makes pods later looks at the time again. Undefined for none,
 * so that effects without any stay as they are.
 */
export function nodesToAvoid({ avoided, at = 0 }: JobContext): readonly AvoidedNode[] | undefined {
  const nodes = stillAvoided(avoided, at);
  return nodes.length > 0 ? nodes : undefined;
}

/** Pods wait for a node, and may not be placed on one that need not be avoided any more: they are to be made again. */
export const hasOutlivedAvoidance = ({ digest, at = 0 }: JobContext) =>
  digest?.avoidsUntil !== undefined && digest.avoidsUntil <= at;

export function explainOutlived(context: JobContext): string {
  const { avoided = [], at = 0 } = context;
  const over = avoided.filter(({ until }) => until <= at).map(({ node }) => node);
  const which = over.length > 0 ? `${over.join(', ')} ${over.length > 1 ? 'are' : 'is'}` : 'some nodes are';
  return `${which} not avoided any more: pods that wait for a node are made again, so that they can be placed there`;
}

/** The context with the time at which pods that wait need not keep away any more; the same one if that has not changed. */
export function withAvoidanceTimer(context: JobContext): JobContext {
  const at = context.suspension ? undefined : context.digest?.avoidsUntil;
  if (at === context.deadlines[AVOIDANCE]) return context;
  const isOver = at === undefined || at <= (context.at ?? 0);
  const others = withoutTimers(context, AVOIDANCE);
  return { ...context, ...(isOver ? others : withTimer(others, AVOIDANCE, at)) };
}

export function avoidedUntil({ avoided, at = 0 }: JobContext): Record<string, string> | undefined {
  const live = stillAvoided(avoided, at);
  return live.length > 0
    ? Object.fromEntries(live.map(({ node, until }) => [node, timeOf(until)]))
    : undefined;
}
