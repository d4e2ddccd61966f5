import { keysOf } from '../../language/fields.ts';

/**
 * The version of the index. Increase it when a column, the meaning of a row, or the library that writes Parquet changes:
 * the index is then rebuilt in a new folder.
 */
export const INDEX_VERSION = 5;

export type ColumnType = 'text' | 'time' | 'integer' | 'number';

export interface Column {
  readonly type: ColumnType;
  readonly about: string;
  /** A terminal without room for all columns leaves out that with the smallest first; it never leaves out one without. */
  readonly importance?: number;
  /** A sentence, or what people wrote: a terminal may cut it. */
  readonly isSentence?: true;
}

type Shown = Pick<Column, 'importance' | 'isSentence'>;

const text = (about: string, shown?: Shown) => ({ type: 'text', about, ...shown }) as const;
const time = (about: string, shown?: Shown) => ({ type: 'time', about, ...shown }) as const;
const integer = (about: string, shown?: Shown) => ({ type: 'integer', about, ...shown }) as const;
const number = (about: string, shown?: Shown) => ({ type: 'number', about, ...shown }) as const;

/** The columns of each table. No name is a reserved word of DuckDB, Spark or Athena, so that none needs quotes. */
export const JOB_COLUMNS = {
  namespace: text('namespace of the job', { importance: 20 }),
  name: text('name of the job'),
  kind: text('kind of the manifest, e.g. `PyTorchJob`', { importance: 7 }),
  workflow_id: text('id of the Temporal workflow'),
  first_run_id: text('first run of the workflow; with `workflow_id` it names one job for ever', {
    importance: 19,
  }),
  run_id: text('last run of the workflow'),
  temporal_namespace: text('namespace of the workflow in Temporal'),
  rerun_of: text('workflow id of the job that this one is a rerun of'),
  submitted_by: text('who submitted it, as given; not checked', { importance: 21 }),
  authenticated_as: text('who submitted it, as Temporal’s authorizer knew them', { importance: 18 }),
  identity: text('identity of the submitting Temporal client; not checked'),
  why: text('why it was submitted', { importance: 24, isSentence: true }),
  submitted: time('when it was submitted'),
  started: time('when its pods first ran'),
  ended: time('when it reached its final phase'),
  archived: time('when its archive was written; null for a live job'),
  phase: text('`Completed`, `Failed` or `Stopped`; a live job has another phase'),
  reason: text('reason code (docs/states.md)', { importance: 22 }),
  class: text('class of the reason, e.g. `infrastructure`'),
  rule: text('the rule that decided the phase', { importance: 14, isSentence: true }),
  message: text('what happened, in a sentence', { importance: 25, isSentence: true }),
  attempts: integer('attempts so far', { importance: 9 }),
  restarts: integer('restarts so far: of containers in place, and of pods by replacement', {
    importance: 11,
  }),
  revisions: integer('revisions of the manifest; 1 if nobody amended it'),
  node: text('the node that the reason is about', { importance: 17 }),
  pod: text('the pod that the reason is about', { importance: 13 }),
  exit_code: integer('exit code of the container that the reason is about', { importance: 12 }),
  gpus: integer(
    'GPUs, slices of GPUs and other accelerators that the manifest’s replicas request together; null if it requests none',
    { importance: 4 },
  ),
  gpu_seconds: number('seconds for which its pods held GPUs, times their number (docs/cost.md)'),
  productive_gpu_seconds: number('the part in which it made progress that was not lost'),
  unknown_gpu_seconds: number('the part in which it ran and its progress is not known'),
  labels: text('labels of the job, as a JSON object'),
  device_uses: text('what its devices were used for by day, as a JSON list; docs/cost.md#uses'),
  restart_facts: text('what made it restart, when, on which node, and when it ran again, as a JSON list'),
  wait_seconds: number('from submission until it first ran, or until it ended without that'),
  run_seconds: number('time in phase `Running`'),
  total_seconds: number('from submission to its end'),
  longest_wait_seconds: number('longest time for which it waited for one thing', { importance: 6 }),
  longest_wait_for: text('what it waited for then: a reason code', { importance: 5 }),
  entries: integer('entries of its ledger'),
  damage: text('why its archive cannot be read; the other columns are then what the log says'),
  folder: text('folder of its archive in the store; null for a live job'),
  leaf: integer('its leaf in the log, from 0; null for a live job'),
} as const satisfies Record<string, Column>;

const ENTRY_COLUMNS = {
  namespace: text('namespace of the job', { importance: 20 }),
  name: text('name of the job'),
  kind: text('kind of the manifest', { importance: 7 }),
  workflow_id: text('id of the Temporal workflow'),
  first_run_id: text('first run of the workflow', { importance: 19 }),
  seq: integer('number of the entry in its ledger, from 1', { importance: 1 }),
  time: time('when it was written'),
  attempt: integer('attempt of the job, from 1', { importance: 8 }),
  from_state: text('state before, e.g. `Pending.Scheduling`', { importance: 3 }),
  to_state: text('state after'),
  phase: text('phase after'),
  cause: text('`submitted`, `digest`, `timer`, `request`, `effect` or `closed`', { importance: 2 }),
  request: text('what was asked, e.g. `stop`; also `submit`, and `terminate` for a terminated workflow'),
  asked: text('arguments of the request, as JSON', { importance: 16, isSentence: true }),
  asked_by: text('who asked, as given; not checked', { importance: 23 }),
  authenticated_as: text('who asked, as Temporal’s authorizer knew them', { importance: 18 }),
  identity: text('identity of the asking Temporal client; not checked'),
  why: text('why they asked', { importance: 24, isSentence: true }),
  refused: text('why the job refused the request; null if it did not', { importance: 15, isSentence: true }),
  timer: text('the deadline that passed, if the cause is a timer'),
  effect: text('the effect that ended, if the cause is an effect'),
  effect_ended: text('`done`, `failed` or `refused`'),
  reason: text('reason code (docs/states.md)', { importance: 22 }),
  rule: text('the rule that decided; of a restart that begins here, also if it was decided a moment later', {
    importance: 14,
    isSentence: true,
  }),
  message: text('what happened, in a sentence', { importance: 25, isSentence: true }),
  new_restarts: integer('restarts that begin with this entry; null if none does', { importance: 10 }),
  node: text('node of the first pod that it is about', { importance: 17 }),
  nodes: text('all nodes that it is about, separated by commas'),
  pod: text('first pod that it is about', { importance: 13 }),
  exit_code: integer('exit code of that pod’s container', { importance: 12 }),
  waiting_for: text('what the job waits for from here on: a reason code; null if it does not wait'),
  wait_seconds: number('how long it waited for that, in its first entry; null in the others'),
  duration_seconds: number('time until the next entry, or until the workflow closed'),
  leaf: integer('leaf of the job’s archive in the log; null for a live job'),
} as const satisfies Record<string, Column>;

export const TABLES = { jobs: JOB_COLUMNS, entries: ENTRY_COLUMNS } as const;
export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = keysOf(TABLES);

/** The columns by name: one that both tables have is equally important in both. */
export const COLUMNS: Readonly<Record<string, Column>> = { ...ENTRY_COLUMNS, ...JOB_COLUMNS };

/** A time is a Date, as in what reads Parquet. */
export type Cell = string | number | Date | null;
interface Cells {
  readonly text: string | null;
  readonly time: Date | null;
  readonly integer: number | null;
  readonly number: number | null;
}
type RowOf<Columns extends Record<string, Column>> = {
  readonly [Name in keyof Columns]: Cells[Columns[Name]['type']];
};

export type JobRow = RowOf<typeof JOB_COLUMNS>;
type EntryRow = RowOf<typeof ENTRY_COLUMNS>;

/** The rows of one job, or of several. */
export interface IndexRows {
  readonly jobs: readonly JobRow[];
  readonly entries: readonly EntryRow[];
}
