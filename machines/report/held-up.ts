import { isPassingWait } from '../../contracts/waits.ts';
import { formatDuration } from '../../language/duration.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { meaningOf } from './scheduler-words.ts';

/** What a job waits for in its present state, with the latest message, and since when in epoch milliseconds. */
export interface HeldUp {
  readonly state: string;
  readonly since: number;
  readonly words: string;
}

/** Returns what the record knows after an event; undefined once the state is left. */
export function nextHeldUp(
  known: HeldUp | undefined,
  { state, context }: { readonly state: string; readonly context: JobContext },
  event: JobEvent,
): HeldUp | undefined {
  const before = known?.state === state ? known : undefined;
  const words = event.type === 'digest' && WAITING.has(state) ? wordsOfOthers(context) : undefined;
  if (!words) return before;
  return {
    state,
    since: before?.since ?? event.at,
    words: [meaningOf(words, context.digest?.shortages), words].filter(Boolean).join('; '),
  };
}

/** Adds what the job has waited for, and how long, to why it entered its next state. */
export function withWait(why: string, heldUp: HeldUp | undefined, at: number): string {
  if (!heldUp || at - heldUp.since < SHORT_MS) return why;
  return `${why}; waited ${formatDuration(at - heldUp.since)}: ${heldUp.words}`;
}

/** Messages of a scheduler that is about to place the pods. */
const SHORT_MS = 5_000;

const WAITING: ReadonlySet<string> = new Set(['Pending.Queued', 'Pending.Scheduling', 'Starting.Waiting']);

/** Returns the message of a scheduler or kubelet about a waiting job; the group's message first. */
function wordsOfOthers({ digest }: JobContext): string | undefined {
  const { gang, waiting = [] } = digest ?? {};
  const ofGroup =
    gang?.scheduled === 'False' || gang?.admitted === false ? (gang.message ?? gang.reason) : '';
  const news = waiting.find(({ reason }) => !isPassingWait(reason));
  const ofPods = news ? [news.reason, news.message].filter(Boolean).join(': ') : '';
  return [ofGroup, ofPods].filter(Boolean).join('; ') || undefined;
}
