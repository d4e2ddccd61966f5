import { classOfReason } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type { When } from '../routes/when.ts';
import { usedShareOf } from './job-fact.ts';
import type { TimedState } from './timed-states.ts';

/** States one after the other in which what a route asks for holds. */
export interface Stretch {
  readonly first: TimedState;
  readonly last: TimedState;
  /** When it ended; absent while it lasts. */
  readonly until?: string;
}

/** Returns the stretches of a job's states in which `when` holds, the earliest first. */
export function stretchesOf(states: readonly TimedState[], when: When): readonly Stretch[] {
  const found: Stretch[] = [];
  let open: Stretch | undefined;
  for (const state of states) {
    const holds = isHolding(state, when);
    if (open && holds && isSame(open.last, state, when)) open = { ...open, last: state };
    else {
      if (open) found.push({ ...open, until: state.at });
      open = holds ? { first: state, last: state } : undefined;
    }
  }
  return open ? [...found, open] : found;
}

function isHolding(
  { phase, reason, noSteps, budget, goodput }: TimedState,
  { phase: phases, reason: reasons, ...when }: When,
): boolean {
  if (phases && !phases.includes(phase)) return false;
  if (reasons && !(reason && reasons.includes(reason))) return false;
  const reasonClass = classOfReason(reason);
  if (when.class && !(reasonClass && when.class.includes(reasonClass))) return false;
  if (when.budgetUsed !== undefined && !(budget && usedShareOf(budget) >= when.budgetUsed)) return false;
  // Where nothing is known of progress, all may have been productive.
  if (when.goodputBelow !== undefined && !(goodput && goodput.most < when.goodputBelow)) return false;
  return !when.silent || (noSteps !== undefined && !isFinal(phase));
}

/**
 * Whether a state goes on with a stretch. With `for`, any that still fits: Pending and Starting together may last too long.
 * Without, another phase is another thing to tell, and so is another reason where the route asks for reasons. An end is told once.
 */
function isSame(before: TimedState, state: TimedState, when: When): boolean {
  if (when.for !== undefined || when.silent || when.budgetUsed !== undefined) return true;
  if (before.phase !== state.phase) return false;
  return isFinal(state.phase) || !when.reason || before.reason === state.reason;
}
