import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { Cause } from '../contracts/types.ts';
import { withAssessment } from './assess/assess.ts';
import { type Deadlines, deadlinesOf } from './chart/deadlines.ts';
import { jobMachine } from './chart/job-machine.ts';
import { positionOf } from './chart/position.ts';
import { withReasonsFromContext } from './failures/evidence.ts';
import { withRootError } from './failures/root-error.ts';
import type { Effect } from './model/effects.ts';
import type { JobContext, JobInput } from './model/job-context.ts';
import type { JobEvent } from './model/job-events.ts';
import { placedUntil } from './model/placed.ts';
import { type JobRecord, keepRecord, openRecord } from './report/job-record.ts';
import type { NewEntry } from './report/new-entry.ts';
import { waitingCause } from './report/waiting-cause.ts';
import { withoutSettledRefusals } from './timeouts/refusals.ts';

/** The state of a job between two events. */
export interface JobState {
  readonly snapshot: SnapshotFrom<typeof jobMachine>;
  readonly record: JobRecord;
  /** What it waits for, or why it ends; undefined if it simply runs. */
  readonly cause: Cause | undefined;
  /** When its timers fire. */
  readonly deadlines: Deadlines;
}

/** The result of an event: the job after it, the effects to run, and what the ledger says of it. */
export interface Step {
  readonly job: JobState;
  readonly effects: readonly Effect[];
  /** Absent if nothing happened that the ledger has. */
  readonly entry?: NewEntry;
}

/** Whether the statechart has a transition for an event in the present state. */
export const accepts = ({ snapshot }: JobState, event: JobEvent): boolean =>
  snapshot.status !== 'done' && snapshot.can(event);

/** A job as plain JSON, for continue-as-new. */
export interface SavedJob {
  readonly value: unknown;
  readonly context: JobContext;
  readonly record: JobRecord;
}

export function begin(input: JobInput): Step {
  const [snapshot, actions] = initialTransition(jobMachine, input);
  const position = positionOf(snapshot);
  const effects = effectsOf(actions);
  const { entry, ...said } = openRecord(position, effects, input.at);
  return { job: { snapshot, ...said, deadlines: deadlinesOf(position) }, effects, entry };
}

/** Pure: the same job and event give the same step. */
export function step(job: JobState, received: JobEvent): Step {
  const { snapshot } = job;
  const event = withoutForgedAnswer(received);
  // xstate's pure transition would follow the root's transitions even out of a final state.
  if (snapshot.status === 'done' || isOutdated(job, event)) return { job, effects: [] };
  const [next, actions] = transition(steppingMachine, atTime(snapshot, event.at), event);
  const effects = effectsOf(actions);
  const told = withRootError(next.context, event, job.record.evidence);
  const settled = { ...next, context: withoutSettledRefusals(told, event, effects) };
  const after = positionOf(settled);
  const { entry, ...said } = keepRecord(job, {
    before: positionOf(snapshot),
    event: withReasonsFromContext(event, snapshot.context),
    ...{ after, effects },
  });
  return { job: { snapshot: settled, ...said, deadlines: deadlinesOf(after) }, effects, entry };
}

/**
 * Any user who can write the anchor can ask the watcher, too. An answer to a question that the job cannot have asked yet would
 * count as the answer to all that it asks later.
 */
function withoutForgedAnswer(event: JobEvent): JobEvent {
  if (event.type !== 'digest' || (event.digest.answers ?? 0) <= event.at) return event;
  return { ...event, digest: { ...event.digest, answers: undefined } };
}

/** Whether a timer fired, but was cancelled or restarted before its event was processed. */
const isOutdated = ({ deadlines }: JobState, event: JobEvent): boolean =>
  event.type === 'deadline' && (deadlines[event.name] ?? Number.POSITIVE_INFINITY) > event.at;

/** Every event updates the time, because guards read it, too. */
const atTime = (snapshot: JobState['snapshot'], at: number): JobState['snapshot'] => ({
  ...snapshot,
  context: withAssessment({ ...snapshot.context, at, placed: placedUntil(snapshot.context, at) }),
});

/**
 * xstate creates an unused actor in its initial state for each transition. A job's machine cannot do that without
 * input: it would throw and catch an error each time, which costs a third of an event.
 */
const steppingMachine: typeof jobMachine = Object.create(jobMachine, {
  getInitialSnapshot: { value: () => undefined },
});

export const save = ({ snapshot, record }: JobState): SavedJob => ({
  value: snapshot.value,
  context: snapshot.context,
  record,
});

export function restore({ value, context, record }: SavedJob): JobState {
  const snapshot = jobMachine.resolveState({ value: value as never, context });
  const position = positionOf(snapshot);
  const cause = waitingCause(position, record.entered.why);
  return { snapshot, record, cause, deadlines: deadlinesOf(position) };
}

function effectsOf(actions: readonly { readonly type: string; readonly params?: unknown }[]): Effect[] {
  return actions.filter(({ type }) => type === 'perform').map(({ params }) => params as Effect);
}
