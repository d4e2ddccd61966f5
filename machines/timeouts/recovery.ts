import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { containerRung, withoutPresentRung } from '../restart/restart-ladder.ts';

/** How long to wait for a digest that shows the new pods, when their time is over. */
const WAIT_LONGER_MS = 30_000;

/** Returns when restarted pods should be ready; undefined without a limit. */
export function recoveryEndsAt({ recovery }: JobContext): number | undefined {
  if (!recovery) return undefined;
  const { since, withinMs, unseenAt } = recovery;
  return unseenAt === undefined ? since + withinMs : unseenAt + WAIT_LONGER_MS;
}

/** The restarted pods are not back in time: moves to the next rung of the ladder. */
export function withNextRung(context: JobContext): Pick<JobContext, 'ladder' | 'trouble'> {
  const { scope, withinMs = 0 } = jobPolicy(context).restart.ladder[context.ladder?.rung ?? 0] ?? {};
  const rule = policyRule(`restart.ladder ${scope}.within`, `${withinMs / 1000}s`);
  return {
    ladder: withoutPresentRung(context),
    trouble: {
      class: 'infrastructure',
      reason: 'RestartsExhausted',
      message: `the job did not run again in time; ${rule}`,
      rule,
      least: 'pod',
    },
  };
}

/** Containers restarted in place must also be back in time, if the ladder says so. */
export function startInPlaceRecovery(context: JobContext, at: number): Pick<JobContext, 'recovery'> {
  const isInPlace = (context.digest?.restarted?.length ?? 0) > 0;
  const withinMs = isInPlace ? containerRung(context)?.withinMs : undefined;
  return { recovery: recoveryFrom(at, withinMs) };
}

export const recoveryFrom = (since: number, withinMs: number | undefined) =>
  withinMs === undefined ? undefined : { since, withinMs };
