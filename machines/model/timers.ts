import { FORCE_DELETE, type JobContext } from './job-context.ts';
import { jobPolicy } from './policy.ts';

type Deadlines = Pick<JobContext, 'deadlines'>;

export const withTimer = ({ deadlines }: Deadlines, name: string, at: number): Deadlines => ({
  deadlines: { ...deadlines, [name]: at },
});

export const withoutTimers = ({ deadlines }: Deadlines, ...names: readonly string[]): Deadlines => ({
  deadlines: Object.fromEntries(Object.entries(deadlines).filter(([name]) => !names.includes(name))),
});

/** Sets the timer after which stuck pods are force-deleted, if the policy allows it. */
export function withForceTimer(timed: Deadlines, context: JobContext, at: number): Deadlines {
  const after = jobPolicy(context).nodes.forceDeleteAfterMs;
  return after === undefined ? timed : withTimer(timed, FORCE_DELETE, at + after);
}
