import { proxySinks } from '@temporalio/workflow';
import type { JobEvent } from '../../machines/model/job-events.ts';
import * as machine from '../../machines/step.ts';

/**
 * Stands in for machines/step.ts in the workflow of an observed worker: notes what the machine really did, without
 * anything of the ledger's.
 */

export * from '../../machines/step.ts';

/** One call of the machine. `job` and `result` number the states: a result that nobody goes on from was only a thought. */
export interface Observed {
  /** Of this run, from 1; a repeated workflow task counts alike. */
  readonly number: number;
  readonly job: number;
  readonly result: number;
  readonly event: string;
  readonly before: Seen | undefined;
  readonly after: Seen;
  readonly effects: readonly string[];
  /** What an update or signal asked, as the event tells the machine. */
  readonly said?: string;
}

interface Seen {
  readonly state: string;
  readonly attempt: number;
}

const { observed } = proxySinks<{ readonly observed: { readonly step: (seen: Observed) => void } }>();

/** A workflow has modules of its own, so this counts those of one run. */
let calls = 0;
let named = 0;
const numbers = new WeakMap<object, number>();

export function begin(...input: Parameters<typeof machine.begin>): machine.Step {
  const result = machine.begin(...input);
  note({ event: 'begin', before: undefined, said: undefined }, undefined, result);
  return result;
}

export function step(job: machine.JobState, event: JobEvent): machine.Step {
  const result = machine.step(job, event);
  const said = 'cause' in event ? event.cause.message : undefined;
  note({ event: event.type, before: seenIn(job), said }, job, result);
  return result;
}

function note(
  stepped: Pick<Observed, 'event' | 'before' | 'said'>,
  job: machine.JobState | undefined,
  { job: next, effects }: machine.Step,
): void {
  calls += 1;
  observed.step({
    ...stepped,
    number: calls,
    job: job ? numberOf(job) : 0,
    result: numberOf(next),
    after: seenIn(next),
    effects: effects.map(({ type }) => type),
  });
}

function numberOf(job: object): number {
  const known = numbers.get(job);
  if (known) return known;
  named += 1;
  numbers.set(job, named);
  return named;
}

/** Flattened in another way than the ledger's. */
const seenIn = ({ snapshot }: machine.JobState): Seen => ({
  state: JSON.stringify(snapshot.value).replaceAll(/[{}"]/g, '').replace(':', '.'),
  attempt: snapshot.context.attempt,
});
