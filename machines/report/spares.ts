import type { SparesStatus } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import { wantedSpares } from '../spares/keep-spares.ts';

/** Says how many spares of a job hold a place; undefined for a job without any, and for one that ends. */
export function sparesOf(context: JobContext): SparesStatus | undefined {
  const wanted = wantedSpares(context);
  if (wanted === 0 || context.outcome) return undefined;
  const placed = (context.digest?.spares ?? []).filter(({ state }) => state === 'ready').length;
  const why = placed >= wanted ? undefined : whyUnplaced(context);
  return { wanted, placed, ...(why === undefined ? {} : { why }) };
}

function whyUnplaced({ assessment, digest, spares }: JobContext): string | undefined {
  if (spares?.refusal) return `they were refused: ${spares.refusal}`;
  const waiting = (digest?.spares ?? []).filter(
    ({ state, node }) => state === 'waiting' && node === undefined,
  );
  if (waiting.length > 0)
    return `${waiting.map(({ pod }) => pod).join(', ')} ${waiting.length > 1 ? 'have' : 'has'} no node`;
  return assessment.is === 'running' ? undefined : 'they are made when the job runs';
}

/** Warns of spares that hold no place: the job runs, but a lost pod may have to wait for a node. */
export function spareWarnings(context: JobContext): readonly string[] {
  const { wanted, placed, why } = sparesOf(context) ?? { wanted: 0, placed: 0 };
  if (context.assessment.is !== 'running' || context.spares === undefined || placed >= wanted) return [];
  return [`${placed} of ${wanted} spares hold a place${why === undefined ? '' : `; ${why}`}`];
}
