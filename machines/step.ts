import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import { withAssessment } from './assess/assess.ts';
import { jobMachine } from './chart/job-machine.ts';
import { positionOf } from './chart/position.ts';
import { withReasonsFromContext } from './failures/evidence.ts';
import type { JobContext, JobInput } from './model/job-context.ts';
import type { Effect, JobEvent } from './model/job-events.ts';
import { type JobRecord, keepRecord, openRecord } from './report/job-record.ts';
import { isKnownRefusal, withoutSettledRefusals } from './timeouts/refusals.ts';

/** A job between two events. */
export interface JobState {
  readonly snapshot: SnapshotFrom<typeof jobMachine>;
  readonly record: JobRecord;
}

/** What an event leads to: the job after it, and what is to be done. */
export interface Step {
  readonly job: JobState;
  readonly effects: readonly Effect[];
}

/** A job as plain JSON, for continue-as-new. */
export interface SavedJob {
  readonly value: unknown;
  readonly context: JobContext;
  readonly record: JobRecord;
}

export function begin(input: JobInput, at: number): Step {
  const [snapshot, actions] = initialTransition(jobMachine, input);
  return { job: { snapshot, record: openRecord(positionOf(snapshot), at) }, effects: effectsOf(actions) };
}

/** Pure: the same job and event give the same step. */
export function step({ snapshot, record }: JobState, event: JobEvent): Step {
  // xstate's pure transition would follow the root's transitions even out of a final state.
  if (snapshot.status === 'done' || isOutdated(snapshot.context, event))
    return { job: { snapshot, record }, effects: [] };
  const [next, actions] = transition(steppingMachine, atTime(snapshot, event.at), event);
  const effects = effectsOf(actions);
  const told = withReasonsFromContext(event, snapshot.context);
  const kept = isKnownRefusal(snapshot.context, event) ? record : keepRecord(record, positionOf(next), told);
  const context = withoutSettledRefusals(next.context, event, effects);
  return { job: { snapshot: { ...next, context }, record: kept }, effects };
}

/** A timer that has rung, and was stopped or set anew by what came before its turn: it says nothing any more. */
const isOutdated = ({ deadlines }: JobContext, event: JobEvent): boolean =>
  event.type === 'deadline' && (deadlines[event.name] ?? Number.POSITIVE_INFINITY) > event.at;

/** Every event brings the time, whatever it is about: also what decides on its way reads it. */
const atTime = (snapshot: JobState['snapshot'], at: number): JobState['snapshot'] => ({
  ...snapshot,
  context: withAssessment({ ...snapshot.context, at }),
});

/**
 * xstate begins each transition with an actor in its initial state, which it then does not use; that of a job cannot be had
 * without its input. It would throw and catch an error each time: a third of what an event costs.
 */
const steppingMachine: typeof jobMachine = Object.create(jobMachine, {
  getInitialSnapshot: { value: () => undefined },
});

export const save = ({ snapshot, record }: JobState): SavedJob => ({
  value: snapshot.value,
  context: snapshot.context,
  record,
});

export const restore = ({ value, context, record }: SavedJob): JobState => ({
  snapshot: jobMachine.resolveState({ value: value as never, context }),
  record,
});

function effectsOf(actions: readonly { readonly type: string; readonly params?: unknown }[]): Effect[] {
  return actions.filter(({ type }) => type === 'perform').map(({ params }) => params as Effect);
}
