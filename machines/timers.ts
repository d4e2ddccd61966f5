import { FORCE_DELETE, type JobContext, NODE_LOST } from './job-context.ts';
import { nextLossAt } from './lost-nodes.ts';
import { policyOf } from './policy.ts';

type Deadlines = Pick<JobContext, 'deadlines'>;

export const withTimer = ({ deadlines }: Deadlines, name: string, at: number): Deadlines => ({
  deadlines: { ...deadlines, [name]: at },
});

export const withoutTimers = ({ deadlines }: Deadlines, ...names: readonly string[]): Deadlines => ({
  deadlines: Object.fromEntries(Object.entries(deadlines).filter(([name]) => !names.includes(name))),
});

/** The timer after which pods that do not go are deleted by force, if the policy allows it at all. */
export function withForceTimer(timed: Deadlines, context: JobContext, at: number): Deadlines {
  const after = policyOf(context).nodes.forceDeleteAfterMs;
  return after === undefined ? timed : withTimer(timed, FORCE_DELETE, at + after);
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
