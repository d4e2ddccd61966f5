import type { JobSummary } from '../../client/servers/summary.ts';
import { PHASES } from '../../contracts/status.ts';
import { tookMs } from '../../contracts/took.ts';
import { painted } from './output.ts';
import { tookText } from './times.ts';

/** A column about jobs as the visibility store knows them. */
export interface JobColumn {
  readonly title: string;
  readonly text: (job: JobSummary) => string;
  /** Colours the text, which may be padded. */
  readonly paint?: (job: JobSummary, text: string) => string;
  /** What rows are sorted by, if not by the text: what people look for is small. */
  readonly by?: (job: JobSummary) => string | number;
}

/** Returns a cell of a column, in its colour. */
export const cellOf = <Job extends JobSummary>(
  { text, paint }: { readonly text: (job: Job) => string } & Pick<JobColumn, 'paint'>,
  job: Job,
): string => (paint ? paint(job, text(job)) : text(job));

export const LIST_COLUMNS: readonly JobColumn[] = [
  { title: 'NAMESPACE', text: ({ namespace }) => namespace },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'KIND', text: ({ kind }) => kind },
  {
    title: 'PHASE',
    text: ({ phase }) => phase,
    paint: ({ phase }, text) => painted(phase, text),
    by: ({ phase }) => PHASES.indexOf(phase),
  },
  { title: 'REASON', text: ({ reason = '' }) => reason },
  { title: 'ATTEMPT', text: ({ attempt }) => String(attempt), by: ({ attempt }) => -attempt },
  {
    title: 'AGE',
    text: ({ startTime }) => tookText({ startTime }),
    by: ({ startTime }) => -Date.parse(startTime),
  },
  {
    title: 'TOOK',
    text: (job) => (job.endTime ? tookText(job) : ''),
    by: (job) => (job.endTime ? -tookMs(job) : 0),
  },
];
