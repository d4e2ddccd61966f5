import { formatTable } from '../../../cli/print/table.ts';
import { formatDuration } from '../../../language/duration.ts';
import { machineFacts, machineText } from '../machine.ts';
import { spreadOf } from '../spread.ts';
import type { RecoveryOptions } from './recovery-options.ts';
import type { Trial, TrialFindings } from './trial.ts';
import { describeWrongActs, seconds } from './trial-text.ts';
import type { WrongActs } from './wrong-acts.ts';

type Found = NonNullable<TrialFindings['recovery']>;

/** Trials of one kind, system and setting. */
interface Row {
  readonly label: readonly [kind: string, system: string];
  readonly trials: readonly Trial[];
  /** Of those that recovered. */
  readonly recoveries: readonly Found[];
}

export async function recoveryText(trials: readonly Trial[], options: RecoveryOptions): Promise<string> {
  const tables = await Promise.all(
    [recoveryFigures(trials, options), recoveryParts(trials)].map(({ head, rows }) =>
      formatTable(head, rows),
    ),
  );
  return [describeDrill(options), ...tables].join('\n\n');
}

export interface RecoveryTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A row for each kind, system and setting. */
export function recoveryFigures(
  trials: readonly Trial[],
  options: Pick<RecoveryOptions, 'capMs'>,
): RecoveryTable {
  return {
    head: FIGURES,
    rows: rowsOf(trials).map((row) => [...row.label, ...figuresOf(row, options)]),
  };
}

/** The parts of the clock, for the same rows. */
export function recoveryParts(trials: readonly Trial[]): RecoveryTable {
  return {
    head: ['MEDIANS SINCE THE FAULT', '', ...PARTS.map(([title]) => title)],
    rows: rowsOf(trials).map((row) => [...row.label, ...PARTS.map(([, part]) => medianOf(row, part))]),
  };
}

export function recoveryJson(trials: readonly Trial[], options: RecoveryOptions): string {
  const date = new Date().toISOString();
  return JSON.stringify({ date, machine: machineFacts(), options, trials }, null, 2);
}

const FIGURES = [
  ...['KIND', 'SYSTEM', 'TRIALS', 'TRAINS AGAIN AFTER', 'NOBODY TRAINED FOR', 'WORK LOST', 'MISSED THE CAP'],
  ...['WRONG ACTS', 'LOAD AVERAGE'],
];

function figuresOf({ trials, recoveries }: Row, { capMs }: Pick<RecoveryOptions, 'capMs'>): string[] {
  const findings = trials.flatMap((trial) => trial.findings ?? []);
  const failed = trials.length - findings.length;
  const missed = findings.length - recoveries.length;
  return [
    failed > 0 ? `${trials.length}, ${failed} without a result` : String(trials.length),
    spreadText(recoveries.map(({ trainedMs }) => trainedMs)),
    spreadText(recoveries.map(({ idleMs }) => idleMs)),
    spreadText(recoveries.map(({ lostMs }) => lostMs)),
    missed > 0 ? `${missed} of ${findings.length} (${formatDuration(capMs)})` : '-',
    describeWrongActs(sumOf(findings.map(({ wrong }) => wrong))),
    spreadOf(trials.map(({ loadAverage }) => loadAverage)).median.toFixed(1),
  ];
}

/** The clock, t1 to t8. */
const PARTS: readonly (readonly [string, (found: Found) => number | undefined])[] = [
  ['SEEN', ({ seenMs }) => seenMs],
  ['DECIDED', ({ decidedMs }) => decidedMs],
  ['OLD PODS GONE', ({ goneMs }) => goneMs],
  ['RUNNING', ({ runningMs }) => runningMs],
  ['JOINED', ({ joinedMs }) => joinedMs],
  ['LOADED', ({ loadedMs }) => loadedMs],
  ['TRAINS', ({ trainedMs }) => trainedMs],
  ['CAUGHT UP', ({ caughtUpMs }) => caughtUpMs],
];

function medianOf({ recoveries }: Row, part: (found: Found) => number | undefined): string {
  const values = recoveries.flatMap((found) => part(found) ?? []);
  return values.length > 0 ? seconds(spreadOf(values).median) : '-';
}

function rowsOf(trials: readonly Trial[]): Row[] {
  const keyOf = ({ fault, nodes, system, settings }: Trial) =>
    `${fault}, ${nodes === 'real' ? 'real nodes' : 'local node'}\n${system}, ${settings}`;
  return [...Map.groupBy(trials, keyOf)].map(([key, members]) => ({
    label: key.split('\n') as [string, string],
    trials: members,
    recoveries: members.flatMap(({ findings }) => findings?.recovery ?? []),
  }));
}

function spreadText(values: readonly number[]): string {
  if (values.length === 0) return '-';
  const { median, min, max } = spreadOf(values);
  const bare = (ms: number) => (ms / 1_000).toFixed(1);
  return values.length === 1 ? seconds(median) : `${seconds(median)} (${bare(min)} to ${bare(max)})`;
}

function sumOf(all: readonly WrongActs[]): WrongActs {
  const total = (count: (acts: WrongActs) => number) => all.reduce((sum, acts) => sum + count(acts), 0);
  return {
    restartsOfHealthy: total((acts) => acts.restartsOfHealthy),
    aliveTwice: total((acts) => acts.aliveTwice),
    skippedSteps: total((acts) => acts.skippedSteps),
    forgottenSteps: total((acts) => acts.forgottenSteps),
  };
}

function describeDrill({ stepSeconds, checkpointSteps, loadSeconds, seed }: RecoveryOptions): string {
  const program = `steps of ${stepSeconds} s, a checkpoint every ${checkpointSteps} steps, read in ${loadSeconds} s`;
  return `${machineText()}; 4 ranks, ${program}; seed ${seed}; medians (least to most)`;
}
