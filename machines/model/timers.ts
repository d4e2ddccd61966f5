import { FORCE_DELETE, type JobContext } from './job-context.ts';
import { jobPolicy } from './policy.ts';

type Deadlines = Pick<JobContext, 'deadlines'>;

export const withTimer = ({ deadlines }: Deadlines, name: string, at: number): Deadlines => ({
  deadlines: { ...deadlines, [name]: at },
});

export const withoutTimers = ({ deadlines }: Deadlines, ...names: readonly string[]): Deadlines => ({
  deadlines: Object.fromEntries(Object.entries(deadlines).filter(([name]) => !names.includes(name))),
});

/** The timer after which pods that do not go are deleted by force, if the policy allows it at all. */
export function withForceTimer(timed: Deadlines, context: JobContext, at: number): Deadlines {
  const after = jobPolicy(context).nodes.forceDeleteAfterMs;
  return after === undefined ? timed : withTimer(timed, FORCE_DELETE, at + after);
}
