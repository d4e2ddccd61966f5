import type { JobSummary } from '../../client/servers/summary.ts';
import type { JobDetails } from '../../client/use-cases/observe/job-details.ts';
import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import { type JobColumn, LIST_COLUMNS } from '../print/job-columns.ts';
import { silenceCell, stepCell } from '../print/silence-lines.ts';
import { terminalText } from '../print/terminal-text.ts';

/** A job in the table of `top`. */
export interface TopJob extends JobSummary {
  /** Of the newest job of its workflow id, once the cluster has told them. */
  readonly details?: JobDetails;
  readonly signs?: LogSigns;
  /** What a worker says that it waits for. */
  readonly cause?: JobDetails['cause'];
}

/** A row stays the same while its job does. */
export const keyOf = ({ workflowId, runId }: JobSummary): string => `${workflowId} ${runId}`;

type TopColumn = Omit<JobColumn, 'text' | 'by'> & {
  readonly text: (job: TopJob) => string;
  readonly by?: (job: TopJob) => string | number;
};

const GPUS: TopColumn = {
  title: 'GPUS',
  text: ({ details }) => (details ? String(details.gpus) : ''),
  by: ({ details }) => -(details?.gpus ?? 0),
};

/** The last one, which takes what the others leave. */
const WHAT: TopColumn = { title: 'WHAT', text: whatOf };

const BEFORE_GPUS = 'ATTEMPT';

/** Those of `list`, and what only `top` shows. */
const COLUMNS: readonly TopColumn[] = [
  ...LIST_COLUMNS.flatMap<TopColumn>((column) => (column.title === BEFORE_GPUS ? [GPUS, column] : [column])),
  WHAT,
];

/** The namespace is the same in all rows, unless jobs of all namespaces are shown. */
export const topColumns = (allNamespaces: boolean): readonly TopColumn[] =>
  COLUMNS.filter(({ title }) => allNamespaces || title !== 'NAMESPACE');

/** How far a job is that runs; why any other is where it is. */
function whatOf({ phase, reason, details, signs, cause, errorLine }: TopJob): string {
  if (phase === 'Completed') return '';
  if (errorLine) return oneLine(errorLine);
  const running = [details?.progress, stepCell(signs), silent(signs)].filter(Boolean).join(', ');
  if (phase === 'Running' && running) return oneLine(running);
  // What was recorded of another reason is over.
  const said = [cause, details?.cause].find((one) => one?.reason === reason);
  return oneLine(said?.message ?? '');
}

const silent = (signs: LogSigns | undefined) => (signs?.silence ? `silent for ${silenceCell(signs)}` : '');

/** Returns a text as a cell shows it. */
export const oneLine = (text: string): string => terminalText(text).replaceAll(/\s+/g, ' ');
