import { type AvoidedNode, stillAvoided } from '../../contracts/avoided-nodes.ts';
import { timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';

/** For `gangElsewhere`, if the policy sets no time. */
const USUAL_MS = 3_600_000;

/** Returns the avoided nodes after these nodes failed the job: latest first, at most as many as the policy allows. */
export function withAvoided(context: JobContext, nodes: readonly string[]): JobContext['avoided'] {
  if (nodes.length === 0) return context.avoided;
  const { avoidForMs = USUAL_MS, avoidAtMost } = jobPolicy(context).nodes;
  const { at } = context;
  const fresh = [...new Set(nodes)].map((node) => ({ node, until: at + avoidForMs }));
  const older = (context.avoided ?? []).filter(({ node, until }) => until > at && !nodes.includes(node));
  return [...fresh, ...older].slice(0, avoidAtMost);
}

/**
 * Returns the nodes to avoid at present; the activity that creates pods checks the time again. Undefined if there are
 * none: an effect without avoided nodes has no such field.
 */
export function nodesToAvoid({ avoided, at }: JobContext): readonly AvoidedNode[] | undefined {
  const nodes = stillAvoided(avoided, at);
  return nodes.length > 0 ? nodes : undefined;
}

/**
 * Whether waiting pods still avoid a node that is not avoided any more: they must be recreated. The pods' labels say so,
 * and any user of the namespace can write labels: only a job that has avoided nodes believes them.
 */
export const hasOutlivedAvoidance = ({ avoided, digest, at }: JobContext) =>
  avoided !== undefined && digest?.avoidsUntil !== undefined && digest.avoidsUntil <= at;

export function explainOutlived(context: JobContext): string {
  const { avoided = [], at } = context;
  const over = avoided.filter(({ until }) => until <= at).map(({ node }) => node);
  const which = over.length > 0 ? `${over.join(', ')} ${over.length > 1 ? 'are' : 'is'}` : 'some nodes are';
  return `${which} no longer avoided: waiting pods are recreated so that they can be placed there`;
}

/** Returns when waiting pods stop avoiding a node; undefined if they avoid none. */
export function avoidanceEndsAt(context: JobContext): number | undefined {
  const { avoided, digest } = context;
  if (!avoided || digest?.avoidsUntil === undefined || hasOutlivedAvoidance(context)) return undefined;
  return Math.min(digest.avoidsUntil, Math.max(0, ...avoided.map(({ until }) => until)));
}

export function avoidedUntil({ avoided, at }: JobContext): Record<string, string> | undefined {
  const live = stillAvoided(avoided, at);
  return live.length > 0
    ? Object.fromEntries(live.map(({ node, until }) => [node, timeOf(until)]))
    : undefined;
}
