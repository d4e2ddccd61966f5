import { CLAUSE_END, clausesOf, END_WORDS } from '../../contracts/end-words.ts';
import { isFinal } from '../../contracts/status.ts';
import type { TimelineEntry } from '../../contracts/types.ts';
import type { Position } from '../chart/position.ts';
import type { Effect } from '../model/effects.ts';
import type { JobEvent } from '../model/job-events.ts';
import { isKnownRefusal } from '../timeouts/refusals.ts';
import { withAttemptSteps } from './attempt-steps.ts';
import { explain } from './explain.ts';
import { type HeldUp, withWait } from './held-up.ts';
import { withCrash } from './reported-crash.ts';

/** One step of the machine. */
export interface StepFacts {
  readonly before: Position;
  readonly event: JobEvent;
  readonly after: Position;
  readonly effects: readonly Effect[];
}

/** Whether the step leads to another state, or to the same one of another attempt. */
export const entersState = ({ before, after }: Pick<StepFacts, 'before' | 'after'>): boolean =>
  before.state !== after.state || before.context.attempt !== after.context.attempt;

/** What was known before the step. */
interface Known {
  readonly timeline: readonly TimelineEntry[];
  readonly heldUp?: HeldUp;
  /** The crash that the step shows, in words, if it is news. */
  readonly crash?: string;
}

/** Returns why the step enters a state. */
export function explainEntry(
  { before, event, after }: StepFacts,
  { timeline, heldUp, crash }: Known,
): string {
  const why = withoutRepetition(explain(after, event, before.context), timeline);
  return withAttemptSteps(withWait(withCrash(why, crash), heldUp, event.at), event);
}

/** Returns what people should know of a step that enters no state; undefined if there is nothing. */
export function newsWithinState(step: StepFacts): string | undefined {
  const { before, event } = step;
  if (isOfCleanUp(event)) return refusedCleanUp(step);
  return isKnownRefusal(before.context, event) ? undefined : messageOfEvent(event);
}

const isOfCleanUp = (event: JobEvent): boolean =>
  (event.type === 'effectDone' || event.type === 'effectFailed') && event.effect === 'cleanUp';

/** Says who requested what and why, or what the API server refuses. */
function messageOfEvent(event: JobEvent): string | undefined {
  if (!('cause' in event) || event.type === 'effectFailed') return undefined;
  const { type, cause } = event;
  return type === 'effectRefused' ? `${cause.reason}: ${cause.message}; retrying` : cause.message;
}

/** A clean-up is retried for as long as it is refused: says so once per reason. */
function refusedCleanUp({ before, after }: Pick<StepFacts, 'before' | 'after'>): string | undefined {
  const [known, refused] = [before, after].map(({ context }) => context.refusedCleanUp?.message);
  return refused === undefined || refused === known ? undefined : `the clean-up is refused: ${refused}`;
}

/**
 * Leaves out what the timeline has already said of the job's end. Evidence, a hold and clean-up follow each other with
 * the same outcome, and each state explains it for itself.
 */
function withoutRepetition(why: string, timeline: readonly TimelineEntry[]): string {
  const known = new Set(
    timeline.filter(({ phase }) => isFinal(phase)).flatMap(({ cause }) => clausesOf(cause)),
  );
  const news = clausesOf(why).filter((clause) => !known.has(clause));
  return news.join(CLAUSE_END) || END_WORDS.cleanUpBegins;
}
