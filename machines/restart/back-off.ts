import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { BackOffRules } from '../../contracts/types.ts';
import type { BackOffState } from '../model/restart.ts';

/** Like a kubelet restarting containers: at once, then after 10 s, 20 s, and so on up to 5 min; reset after 10 min. */
const USUAL = DEFAULT_POLICY.restart.backOff;

/** Returns when failed pods may be replaced: a pod that fails at once must not be recreated as fast as it fails. */
export function nextBackOff(
  last: BackOffState | undefined,
  now: number,
  { rules = USUAL, seed = '' }: { readonly rules?: BackOffRules; readonly seed?: string } = {},
): BackOffState {
  const inRow = last && now - last.at < rules.resetAfterMs ? last.inRow + 1 : 1;
  const delay = delayOf(inRow, rules) * (1 + swing(rules, `${seed}/${now}`));
  return { inRow, at: now + Math.round(Math.min(delay, rules.maxMs)) };
}

function delayOf(inRow: number, { firstAtOnce, initialMs, factor, maxMs }: BackOffRules): number {
  const step = inRow - (firstAtOnce ? 2 : 1);
  return step < 0 ? 0 : Math.min(initialMs * factor ** step, maxMs);
}

/** Returns a value between -jitter and +jitter, the same for the same job and time: a replay must decide the same. */
const swing = ({ jitter }: BackOffRules, seed: string) =>
  jitter === 0 ? 0 : jitter * (2 * fractionOf(seed) - 1);

/** FNV-1a, as a fraction of its range. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash / 2 ** 32;
}
