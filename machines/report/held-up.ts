import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { meaningOf, waitedFor } from './scheduler-words.ts';

/** What holds a job up in its present state, in the latest words, and since when in epoch milliseconds. */
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
    words: [meaningOf(words), words].filter(Boolean).join('; '),
  };
}

/** Adds what the job has waited for, and how long, to why it entered its next state. */
export function withWait(why: string, heldUp: HeldUp | undefined, at: number): string {
  if (!heldUp || at - heldUp.since < SHORT_MS) return why;
  return `${why}; waited ${waitedFor(at - heldUp.since)}: ${heldUp.words}`;
}

/** The passing words of a scheduler that is about to place the pods. */
const SHORT_MS = 5_000;

const WAITING: ReadonlySet<string> = new Set(['Pending.Queued', 'Pending.Scheduling', 'Starting.Waiting']);

/** Returns what a scheduler or kubelet says of a job that waits; the group's words first. */
function wordsOfOthers({ digest }: JobContext): string | undefined {
  const { gang, waiting } = digest ?? {};
  const ofGroup =
    gang?.scheduled === 'False' || gang?.admitted === false ? (gang.message ?? gang.reason) : '';
  // Every container is created for a while.
  const isNews =
    waiting && !['ContainerCreating', 'PodInitializing', 'ContainersNotReady'].includes(waiting.reason);
  const ofPods = isNews ? [waiting.reason, waiting.message].filter(Boolean).join(': ') : '';
  return [ofGroup, ofPods].filter(Boolean).join('; ') || undefined;
}
