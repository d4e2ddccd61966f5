import { REASONS } from './reasons.ts';
import type { Cause } from './types.ts';

/** Returns what happened, for a place that also shows the rule: a cause's message ends with it. */
export function messageOfCause({ reason, message, rule }: Cause): string {
  const end = `; ${rule}`;
  const said = rule !== undefined && message.endsWith(end) ? message.slice(0, -end.length) : message;
  return said || REASONS[reason].sentence;
}
