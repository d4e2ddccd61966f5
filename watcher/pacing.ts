import type { DigestContent } from './digest-content.ts';

/**
 * When to tell a workflow. Each signal costs it four history events, and bursts make its workflow tasks fail:
 * Temporal advises at most five a second for one workflow.
 */
const PACE = { usualMs: 1_000, urgentMs: 200, wordsMs: 60_000 } as const;

export interface Sent {
  readonly content: DigestContent;
  /** The job's turnover of pods then. */
  readonly turnover: number;
  readonly at: number;
}

/** When the next look at a job is due: at once after a rest, later if it was looked at lately or could not be told. */
export function dueAt(last: {
  readonly at: number;
  readonly urgent: boolean;
  readonly failures: number;
}): number {
  const pace = last.urgent ? PACE.urgentMs : PACE.usualMs;
  return last.at + (last.failures ? backOff(last.failures) : pace);
}

/** When this content is worth a signal, after what was delivered last; undefined: not at all. */
export function worthSendingAt(
  last: Sent | undefined,
  next: { readonly content: DigestContent; readonly turnover: number },
): number | undefined {
  if (!last || last.turnover !== next.turnover || last.content.facts !== next.content.facts) {
    return Number.NEGATIVE_INFINITY;
  }
  return last.content.words === next.content.words ? undefined : last.at + PACE.wordsMs;
}

/** Milliseconds to wait after so many failures in a row, at random so that a thousand jobs do not return at once. */
export function backOff(failures: number, random = Math.random()): number {
  return Math.min(BACK_OFF.firstMs * 2 ** (failures - 1), BACK_OFF.mostMs) * (0.5 + random);
}

const BACK_OFF = { firstMs: 500, mostMs: 10_000 };
