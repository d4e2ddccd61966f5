import type { UsingJob } from '../uses/grouped-uses.ts';
import type { DeviceUse } from '../uses/job-uses.ts';
import type { RestartFact } from '../uses/restart-causes.ts';
import type { JobRow } from './columns.ts';

/** What the index has of a job, for figures of many jobs. Times are epoch milliseconds. */
export interface JobFigures extends UsingJob {
  readonly workflowId: string;
  readonly firstRunId: string;
  readonly phase: string;
  readonly reason: string | null;
  readonly submitted: number;
  readonly started: number | null;
  readonly ended: number | null;
  /** Until it first ran, or ended without that. */
  readonly waitMs: number;
  readonly longestWaitFor: string | null;
  /** The node that the reason is about. */
  readonly node: string | null;
  readonly restarts: readonly Omit<RestartFact, 'message'>[];
  readonly isArchived: boolean;
}

/** The columns that a recorded job is read from. */
export const FIGURE_COLUMNS = [
  ...(['namespace', 'name', 'kind', 'workflow_id', 'first_run_id', 'run_id', 'temporal_namespace'] as const),
  ...(['submitted_by', 'authenticated_as', 'submitted', 'started', 'ended', 'phase', 'reason'] as const),
  ...([
    'node',
    'labels',
    'device_uses',
    'restart_facts',
    'wait_seconds',
    'longest_wait_for',
    'folder',
  ] as const),
] as const satisfies readonly (keyof JobRow)[];

export type FigureRow = Pick<JobRow, (typeof FIGURE_COLUMNS)[number]>;

export const jobFiguresOf = (row: FigureRow): JobFigures => ({
  ...{ namespace: row.namespace ?? '', name: row.name ?? '', kind: row.kind ?? '' },
  ...{ workflowId: row.workflow_id ?? '', firstRunId: row.first_run_id ?? '' },
  user: row.authenticated_as ?? row.submitted_by,
  labels: parsed<UsingJob['labels']>(row.labels, {}),
  uses: parsed<readonly DeviceUse[]>(row.device_uses, []),
  restarts: parsed<JobFigures['restarts']>(row.restart_facts, []),
  ...{ phase: row.phase ?? '', reason: row.reason, node: row.node },
  submitted: row.submitted?.getTime() ?? 0,
  ...{ started: row.started?.getTime() ?? null, ended: row.ended?.getTime() ?? null },
  waitMs: (row.wait_seconds ?? 0) * 1000,
  longestWaitFor: row.longest_wait_for,
  isArchived: row.folder !== null,
});

const parsed = <T>(text: string | null, otherwise: T): T =>
  text === null ? otherwise : (JSON.parse(text) as T);
