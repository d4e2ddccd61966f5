import type { JobContext } from '../model/job-context.ts';
import { wantedSpares } from '../spares/keep-spares.ts';

/** Warns of spares that hold no place: the job runs, but a lost pod may have to wait for a node. */
export function spareWarnings(context: JobContext): readonly string[] {
  const wanted = wantedSpares(context);
  const known = context.digest?.spares ?? [];
  const ready = known.filter(({ state }) => state === 'ready').length;
  if (context.assessment.is !== 'running' || context.spares === undefined || ready >= wanted) return [];
  const waiting = known.filter(({ state, node }) => state === 'waiting' && node === undefined);
  const { refusal } = context.spares;
  const why = refusal
    ? `; they were refused: ${refusal}`
    : waiting.length > 0
      ? `; ${waiting.map(({ pod }) => pod).join(', ')} ${waiting.length > 1 ? 'have' : 'has'} no node`
      : '';
  return [`${ready} of ${wanted} spares hold a place${why}`];
}
