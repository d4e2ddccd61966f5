import type { AttemptGoodput } from '../../client/use-cases/cost/attempt-goodput.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Cause, Phase } from '../../contracts/types.ts';
import type { JobFact, UsedBudget } from './job-fact.ts';

/** A state of a job, from one event on until the next state. */
export interface TimedState {
  /** `RUN/EVENT` of the event with which it began. */
  readonly key: string;
  readonly at: string;
  readonly phase: Phase;
  readonly reason?: ReasonCode;
  readonly attempt: number;
  readonly noSteps?: string;
  readonly cause?: Cause;
  readonly budget?: UsedBudget;
  readonly owner?: string;
  /** Of the attempt that ended with it, if a route asks for it. */
  readonly goodput?: AttemptGoodput;
}

/** Returns the states of a job: those that are known, and what facts, the oldest first, add to them. */
export function withFacts(known: readonly TimedState[], facts: readonly JobFact[]): readonly TimedState[] {
  const begin = facts.findLastIndex(({ isFirst }) => isFirst);
  const states = begin >= 0 ? [] : [...known];
  for (const fact of facts.slice(Math.max(begin, 0))) add(states, fact);
  return states;
}

function add(states: TimedState[], fact: JobFact): void {
  const last = states.at(-1);
  if (fact.isClose && last && isFinal(last.phase)) return;
  const next = after(last, fact);
  if (!last || isOther(last, next)) states.push(next);
  else
    states[states.length - 1] = {
      ...last,
      ...(next.cause ? { cause: next.cause } : {}),
      ...(next.budget ? { budget: next.budget } : {}),
      ...(next.owner ? { owner: next.owner } : {}),
    };
}

function after(last: TimedState | undefined, { key, at, ...fact }: JobFact): TimedState {
  const { phase = last?.phase ?? 'Pending', attempt = last?.attempt ?? 1 } = fact;
  const reason = fact.reason === undefined ? last?.reason : (fact.reason ?? undefined);
  const noSteps = fact.noSteps === undefined ? last?.noSteps : (fact.noSteps ?? undefined);
  const state = { key, at, phase, attempt, ...(reason ? { reason } : {}), ...(noSteps ? { noSteps } : {}) };
  const { budget = last?.budget } = fact;
  const owner = fact.owner === undefined ? last?.owner : (fact.owner ?? undefined);
  const { cause } = fact.cause ?? {};
  return {
    ...state,
    ...(budget ? { budget } : {}),
    ...(owner ? { owner } : {}),
    ...(cause && isAbout(state, cause, fact.cause?.of) ? { cause } : {}),
  };
}

/** The words of a silence may change while it lasts. */
const isOther = (one: TimedState, other: TimedState): boolean =>
  one.phase !== other.phase ||
  one.reason !== other.reason ||
  one.attempt !== other.attempt ||
  (one.noSteps === undefined) !== (other.noSteps === undefined);

const isAbout = (state: TimedState, cause: Cause, of: Phase | undefined): boolean =>
  state.phase === of && state.reason === cause.reason;
