import type { AttemptGoodput } from '../../client/use-cases/cost/attempt-goodput.ts';
import { isFinal } from '../../contracts/status.ts';
import type { TimedState } from './timed-states.ts';

/** Returns the goodput of a job's attempts, by number. What is not known is left out. */
export type ReadGoodput = (
  job: { readonly workflowId: string; readonly runId: string },
  until: number,
) => Promise<ReadonlyMap<number, AttemptGoodput>>;

/**
 * Adds its goodput to the state with which an attempt ends, from `from` on. Asks only if there is such a state: it takes as long
 * as the job's history.
 */
export async function withGoodput(
  states: readonly TimedState[],
  from: number,
  read: () => ReturnType<ReadGoodput>,
): Promise<readonly TimedState[]> {
  const ends = states.filter((state, index) => isEnd(states, index) && Date.parse(state.at) >= from);
  if (ends.every(({ goodput }) => goodput !== undefined)) return states;
  const known = await read();
  return states.map((state) => {
    const goodput = ends.includes(state) ? known.get(state.attempt) : undefined;
    return goodput && !state.goodput ? { ...state, goodput } : state;
  });
}

/** Whether an attempt ends with a state. A job that ends while it restarts ends no attempt. */
function isEnd(states: readonly TimedState[], index: number): boolean {
  const isOver = ({ phase }: TimedState) => phase === 'Restarting' || isFinal(phase);
  const [before, state] = [states[index - 1], states[index]!];
  return isOver(state) && before !== undefined && !(isOver(before) && before.attempt === state.attempt);
}
