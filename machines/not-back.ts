import type { JobContext } from './job-context.ts';
import { policyOf, policyRule } from './policy.ts';
import { skipped } from './restart-ladder.ts';

/** What was started again is not back in time: the next rung of the ladder is to help. */
export function notBack(context: JobContext): Pick<JobContext, 'ladder' | 'trouble'> {
  const { scope, withinMs = 0 } = policyOf(context).restart.ladder[context.ladder?.rung ?? 0] ?? {};
  const rule = policyRule(`restart.ladder ${scope}.within`, `${withinMs / 1000}s`);
  return {
    ladder: skipped(context),
    trouble: {
      class: 'infrastructure',
      reason: 'RestartsExhausted',
      message: `the job did not run again in time; ${rule}`,
      rule,
      least: 'pod',
    },
  };
}
