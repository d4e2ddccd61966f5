import type { Fault } from '../../../contracts/types.ts';
import { parsePolicy } from '../../../frameworks/policy/parse-policy.ts';

/** Returns the faults of a policy document that it has whatever job it is for. */
export function validatePolicy(text: string): readonly Fault[] {
  const parsed = parsePolicy(text);
  return 'faults' in parsed ? parsed.faults : [];
}
