import type { JobSummary } from '../../client/servers/summary.ts';
import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { shortRunLength } from '../../contracts/run-reference.ts';
import { shorten } from '../../language/shorten.ts';
import { cellOf, LIST_COLUMNS } from './job-columns.ts';
import { silenceCell, stepCell } from './silence-lines.ts';
import { formatTable } from './table.ts';
import { withoutMilliseconds } from './times.ts';

interface TableOptions {
  readonly isWide: boolean;
  /** By workflow id. */
  readonly signs?: ReadonlyMap<string, LogSigns>;
  readonly hasHeadings: boolean;
}

interface Column {
  readonly title: string;
  readonly cell: (job: JobSummary, shown: Shown) => string;
}

interface Shown extends Pick<TableOptions, 'signs'> {
  /** How many characters distinguish the runs in the table. */
  readonly runLength: number;
}

const COLUMNS: readonly Column[] = LIST_COLUMNS.map((column) => ({
  title: column.title,
  cell: (job) => cellOf(column, job),
}));

const WORKFLOW_ID: Column = { title: 'WORKFLOW ID', cell: ({ workflowId }) => workflowId };

/** Only if a job in the table is silent. */
const STEP: Column = {
  title: 'STEP',
  cell: ({ workflowId }, { signs }) => stepCell(signs?.get(workflowId)),
};

const SILENT: Column = {
  title: 'SILENT',
  cell: ({ workflowId }, { signs }) => shorten(silenceCell(signs?.get(workflowId)), WHY_LENGTH),
};

/** Only if a job in the table has one. */
const ERROR: Column = { title: 'ERROR', cell: ({ errorLine = '' }) => shorten(errorLine, ERROR_LENGTH) };

const ERROR_LENGTH = 80;

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
  { isWide, hasHeadings, signs }: TableOptions,
): Promise<string> {
  const hasOwnIds = jobs.some((job) => job.workflowId !== workflowIdOf(job));
  const known = [...(signs?.values() ?? [])];
  const columns = [
    ...COLUMNS,
    ...(known.some(({ steps }) => steps?.at) ? [STEP] : []),
    ...(known.some(({ silence }) => silence) ? [SILENT] : []),
    ...(isWide && jobs.some(({ errorLine }) => errorLine) ? [ERROR] : []),
    ...(isWide ? WIDE : hasOwnIds ? [WORKFLOW_ID] : []),
  ];
  const shown = { runLength: shortRunLength(jobs.map(({ runId }) => runId)), signs };
  const rows = jobs.map((job) => columns.map(({ cell }) => cell(job, shown)));
  return formatTable(hasHeadings ? columns.map(({ title }) => title) : undefined, rows);
}
