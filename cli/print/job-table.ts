import type { JobSummary } from '../../client/servers/summary.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { shortRunLength } from '../../contracts/run-reference.ts';
import type { JobSilence } from '../../contracts/types.ts';
import { shorten } from '../../language/shorten.ts';
import { painted } from './output.ts';
import { silenceCell } from './silence-lines.ts';
import { formatTable } from './table.ts';
import { between, withoutMilliseconds } from './times.ts';

interface TableOptions {
  readonly isWide: boolean;
  /** By workflow id. */
  readonly silences?: ReadonlyMap<string, JobSilence>;
  readonly hasHeadings: boolean;
}

interface Column {
  readonly title: string;
  readonly cell: (job: JobSummary, shown: Shown) => string;
}

interface Shown extends Pick<TableOptions, 'silences'> {
  /** How many characters distinguish the runs in the table. */
  readonly runLength: number;
}

const COLUMNS: readonly Column[] = [
  { title: 'NAMESPACE', cell: ({ namespace }) => namespace },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'PHASE', cell: ({ phase }) => painted(phase) },
  { title: 'REASON', cell: ({ reason = '' }) => reason },
  { title: 'ATTEMPT', cell: ({ attempt }) => String(attempt) },
  // Both count from the submission. The visibility store does not know the start of the pods; `get` shows that.
  { title: 'AGE', cell: ({ startTime }) => between(startTime, undefined) },
  { title: 'TOOK', cell: ({ startTime, endTime }) => (endTime ? between(startTime, endTime) : '') },
];

const WORKFLOW_ID: Column = { title: 'WORKFLOW ID', cell: ({ workflowId }) => workflowId };

/** Only if a job in the table is silent. */
const SILENT: Column = {
  title: 'SILENT',
  cell: ({ workflowId }, { silences }) => shorten(silenceCell(silences?.get(workflowId)), WHY_LENGTH),
};

const WIDE: readonly Column[] = [
  { title: 'RUN', cell: ({ runId }, { runLength }) => runId.slice(0, runLength) },
  { title: 'SUBMITTED BY', cell: ({ submittedBy = '' }) => submittedBy },
  { title: 'SUBMITTED', cell: ({ startTime }) => withoutMilliseconds(startTime) },
  WORKFLOW_ID,
  // Last, as people write sentences.
  { title: 'WHY', cell: ({ why = '' }) => shorten(why.replaceAll(/\s+/g, ' '), WHY_LENGTH) },
];

const WHY_LENGTH = 60;

/** Formats jobs as a table; always with workflow ids if one of them does not follow from namespace and name. */
export function jobTable(
  jobs: readonly JobSummary[],
  { isWide, hasHeadings, silences }: TableOptions,
): Promise<string> {
  const hasOwnIds = jobs.some((job) => job.workflowId !== workflowIdOf(job));
  const columns = [
    ...COLUMNS,
    ...(silences?.size ? [SILENT] : []),
    ...(isWide ? WIDE : hasOwnIds ? [WORKFLOW_ID] : []),
  ];
  const shown = { runLength: shortRunLength(jobs.map(({ runId }) => runId)), silences };
  const rows = jobs.map((job) => columns.map(({ cell }) => cell(job, shown)));
  return formatTable(hasHeadings ? columns.map(({ title }) => title) : undefined, rows);
}
