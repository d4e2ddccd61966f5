import type { JobContext } from './job-context.ts';
import { policyOf } from './policy.ts';
import { timeOf } from './time.ts';

/** A node that new pods of the job keep away from. */
export interface AvoidedNode {
  readonly node: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Of `gangElsewhere`, where the policy gives no time. */
const USUAL_MS = 3_600_000;

/** The list after these nodes failed the job: the latest first, no more than the policy allows. */
export function withAvoided(context: JobContext, nodes: readonly string[]): JobContext['avoided'] {
  if (nodes.length === 0) return context.avoided;
  const { avoidForMs = USUAL_MS, avoidAtMost } = policyOf(context).nodes;
  const at = context.at ?? 0;
  const fresh = [...new Set(nodes)].map((node) => ({ node, until: at + avoidForMs }));
  const older = (context.avoided ?? []).filter(({ node, until }) => until > at && !nodes.includes(node));
  return [...fresh, ...older].slice(0, avoidAtMost);
}

/** Nodes to keep away from now; undefined for none, so that effects without any stay as they are. */
export function nodesToAvoid({ avoided = [], at = 0 }: JobContext): readonly string[] | undefined {
  const nodes = avoided.filter(({ until }) => until > at).map(({ node }) => node);
  return nodes.length > 0 ? nodes : undefined;
}

export function avoidedUntil({ avoided = [], at = 0 }: JobContext): Record<string, string> | undefined {
  const live = avoided.filter(({ until }) => until > at);
  return live.length > 0
    ? Object.fromEntries(live.map(({ node, until }) => [node, timeOf(until)]))
    : undefined;
}
