import type { temporal } from '@temporalio/proto';

type Decoded = temporal.api.history.v1.IHistory;
/** Both forms name the attributes of an event alike; ids are numbers in one and texts in the other. */
type Event = Readonly<Record<string, unknown>>;

/** A run of a workflow: decoded, or as protobuf JSON; the SDK recognises which. */
export type ReplayableRun = Decoded | { readonly events: readonly object[] };

/**
 * Returns the events that a run's workflow tasks have processed; undefined if there are none. A replay of later events
 * would show reactions that a terminated run never had, and would not end. Throws if the argument is no history.
 */
export function processedPart(given: ReplayableRun): Decoded | undefined {
  const events = eventsOf(given);
  if (events.some((event) => ENDS.some((name) => has(event, name)))) return given as Decoded;
  const last = events.findLastIndex((event) => has(event, TASK_COMPLETED));
  if (last < 0) return undefined;
  const id = String(events[last]!.eventId);
  const end = events.findIndex((event, index) => index > last && !isCommand(event, id));
  return { events: events.slice(0, end < 0 ? undefined : end) } as Decoded;
}

function eventsOf(given: ReplayableRun): readonly Event[] {
  const { events } = given ?? {};
  if (Array.isArray(events) && events.length > 0) return events as readonly object[] as readonly Event[];
  throw new TypeError('expected the history of a workflow, {"events": [...]}, got no events');
}

const TASK_COMPLETED = 'workflowTaskCompletedEventAttributes';

/** The workflow's own ends: nothing follows them. */
const ENDS = [
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
];

const ANSWERS = [
  'workflowExecutionUpdateAcceptedEventAttributes',
  'workflowExecutionUpdateCompletedEventAttributes',
];

const has = (event: Event, name: string) => event[name] !== undefined && event[name] !== null;

/** Whether the workflow task of this id wrote the event. */
const isCommand = (event: Event, id: string): boolean =>
  ANSWERS.some((name) => has(event, name)) ||
  Object.values(event).some(
    (attributes) => String((attributes as Event | null | undefined)?.workflowTaskCompletedEventId) === id,
  );
