import { findVanished } from '../failures/vanished.ts';
import type { JobContext } from '../model/job-context.ts';
import { ownPolicy, policyRule } from '../model/policy.ts';
import type { Restart } from '../model/restart.ts';
import { roleOfFailure } from '../model/role-counts.ts';
import { ruleOf } from './restart-policy.ts';

/**
 * Returns the rules that let pods start again: what was exceeded, if no pod failed, and the ladder's rung, or without a
 * policy the restart policy of the role that failed.
 */
export function ruleOfRestart(context: JobContext, restart: Restart): string | undefined {
  const rules = [context.trouble?.rule, rungRule(context, restart) ?? roleRule(context)];
  return rules.filter(Boolean).join('; ') || undefined;
}

function rungRule(context: JobContext, { rung, scope }: Restart): string | undefined {
  const { ladder } = ownPolicy(context)?.restart ?? {};
  return ladder?.[rung] ? policyRule(`restart.ladder[${rung}].scope`, scope) : undefined;
}

function roleRule(context: JobContext): string | undefined {
  const [failure] = [...(context.digest?.failures ?? []), ...findVanished(context)];
  const role = failure && roleOfFailure(context, failure);
  return role && ruleOf(context, role, failure);
}
