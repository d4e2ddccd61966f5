import { type JobContext, RECOVERY, STALL } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { withoutTimers, withTimer } from '../model/timers.ts';
import { containerRung, withoutPresentRung } from '../restart/restart-ladder.ts';

/** The restarted pods are not back in time: moves to the next rung of the ladder. */
export function withNextRung(context: JobContext): Pick<JobContext, 'ladder' | 'trouble'> {
  const { scope, withinMs = 0 } = jobPolicy(context).restart.ladder[context.ladder?.rung ?? 0] ?? {};
  const rule = policyRule(`restart.ladder ${scope}.within`, `${withinMs / 1000}s`);
  return {
    ladder: withoutPresentRung(context),
    trouble: {
      class: 'infrastructure',
      reason: 'RestartsExhausted',
      message: `the job was not running again in time; ${rule}`,
      rule,
      least: 'pod',
    },
  };
}

/** Containers restarted in place must also be back in time, if the ladder says so. */
export function startInPlaceRecovery(context: JobContext, at: number): Pick<JobContext, 'deadlines'> {
  const quiet = withoutTimers(context, STALL);
  const isInPlace = (context.digest?.restarted?.length ?? 0) > 0;
  const within = isInPlace ? containerRung(context)?.withinMs : undefined;
  return within === undefined ? quiet : withTimer(quiet, RECOVERY, at + within);
}
