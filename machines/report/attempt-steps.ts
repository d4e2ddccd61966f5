import type { LedgerEntry } from '../../contracts/types.ts';
import type { JobEvent } from '../model/job-events.ts';

/** Adds how far the attempt came whose pods have gone, and what of that is safe. */
export function withAttemptSteps(why: string, event: JobEvent): string {
  const steps = event.type === 'effectDone' ? event.steps : undefined;
  return steps ? `${why}; ${sentenceOf(steps)}` : why;
}

function sentenceOf({ pod, attempt, first, last, saved }: NonNullable<LedgerEntry['steps']>): string {
  const came = `attempt ${attempt} came from step ${first.step} to step ${last.step} by the log of ${pod}`;
  if (!saved) return `${came}, which tells of no complete checkpoint`;
  return `${came}; its last complete checkpoint is ${saved.step === undefined ? `of ${saved.at}` : `of step ${saved.step}`}`;
}
