import type { DigestContent } from './digest-content.ts';

/**
 * When to tell a workflow. Each signal costs it four history events, and bursts make its workflow tasks fail:
 * Temporal advises at most five a second for one workflow.
 */
const PACE = {
  usualMs: 1_000,
  slowestMs: 5_000,
  urgentMs: 200,
  settledMs: 3_000,
  detailsMs: 60_000,
} as const;

export interface Sent {
  readonly content: DigestContent;
  /** The job's podChanges of pods then. */
  readonly podChanges: number;
  /** Of the last event of the job's pods then. */
  readonly revision: number;
  /** It was told for what it said, not for its revision. */
  readonly hadChanged: boolean;
  readonly at: number;
}

/** When the next look at a job is due: at once after a rest, later if it was looked at lately or could not be told. */
export function retryAt(last: {
  readonly at: number;
  readonly urgent: boolean;
  readonly failures: number;
  readonly streak: number;
}): number {
  const pace = last.urgent ? PACE.urgentMs : usualPace(last.streak);
  return last.at + (last.failures ? backOff(last.failures) : pace);
}

/** How many digests have followed each other without a rest, after another one at `now`. */
export const nextStreak = (last: { readonly at: number; readonly streak: number }, now: number) =>
  now - last.at < 2 * usualPace(last.streak) ? last.streak + 1 : 0;

/** The counts of a large gang change for as long as it takes to start; the longer that is, the less often they matter. */
const usualPace = (streak: number) => Math.min(PACE.usualMs * STREAK_FACTOR ** streak, PACE.slowestMs);

const STREAK_FACTOR = 1.3;

/**
 * When this content is worth a signal, after what was delivered last; undefined: not at all.
 *
 * What looks the same is told all the same once it has settled, because a workflow may wait for a digest that has seen
 * a certain revision; after that only now and then, as a scheduler may rewrite its message for hours. Progress is told
 * as often as the job wants, its first word at once.
 */
export function nextSendAt(
  last: Sent | undefined,
  next: Pick<Sent, 'content' | 'podChanges' | 'revision'>,
  progressMs: number = PROGRESS_MS,
): number | undefined {
  if (!last || hasChanged(last, next)) return Number.NEGATIVE_INFINITY;
  const times: number[] = [];
  if (last.revision !== next.revision || last.content.details !== next.content.details) {
    times.push(last.at + (last.hadChanged ? PACE.settledMs : PACE.detailsMs));
  }
  // Each digest has told how far the job had got by then.
  if (last.content.progress !== next.content.progress) times.push(last.at + progressMs);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** How often progress is told to a job that does not say. */
export const PROGRESS_MS = 10_000;

/** How often to ask the API server again for what is forbidden. */
export const FORBIDDEN_MS = 300_000;

/** Whether it says what was not said before, in more than words. */
export const hasChanged = (
  last: Pick<Sent, 'content' | 'podChanges'> | undefined,
  next: Pick<Sent, 'content' | 'podChanges'>,
) =>
  !last ||
  last.podChanges !== next.podChanges ||
  last.content.facts !== next.content.facts ||
  (last.content.progress === undefined && next.content.progress !== undefined);

/** Milliseconds to wait after so many failures in a row, at random so that a thousand jobs do not return at once. */
export function backOff(failures: number, random = Math.random()): number {
  return Math.min(BACK_OFF.firstMs * 2 ** (failures - 1), BACK_OFF.mostMs) * (0.5 + random);
}

const BACK_OFF = { firstMs: 500, mostMs: 10_000 };
