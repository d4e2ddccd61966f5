import { formatTable } from '../../cli/print/table.ts';
import type { BenchResults } from './bench.ts';
import { type CaseResult, type CaseShape, title } from './cases.ts';
import { type Cell, type Figure, type Row, rowsOf, type Unit } from './figures.ts';
import { idleGrowthFigures } from './idle-growth-figures.ts';
import { machineFacts, machineText } from './machine.ts';
import type { BenchOptions } from './options.ts';
import { spreadOf } from './spread.ts';
import { startFigures } from './start-figures.ts';
import { takeOverFigures } from './take-over-figures.ts';

const FORMS: Readonly<Record<Unit, (value: number) => string>> = {
  s: (value) => `${value.toFixed(2)} s`,
  ms: (value) => `${value.toFixed(1)} ms`,
  MB: (value) => `${Math.round(value)} MB`,
  kB: (value) => `${Math.round(value)} kB`,
  events: (value) => `${Math.round(value)}`,
  digests: (value) => `${Math.round(value)}`,
  'jobs/s': (value) => `${value.toFixed(1)} jobs/s`,
  x: (value) => `${value.toFixed(2)} x`,
};

export async function textReport(results: BenchResults, options: BenchOptions): Promise<string> {
  const tables = await Promise.all(sectionsOf(results).map(tableOf));
  return [describe(options), ...tables].join('\n\n');
}

export function jsonReport(results: BenchResults, options: BenchOptions): string {
  const figures = sectionsOf(results).flatMap(({ rows }) => rows.flatMap(facts));
  return JSON.stringify(
    { machine: machineFacts(), options, notes: notesOf(options), figures, results },
    null,
    2,
  );
}

/** Cases of which the same is measured. */
interface Section {
  readonly cases: readonly CaseShape[];
  readonly rows: readonly Row[];
}

function sectionsOf({ starts, takeOvers, growths }: BenchResults): Section[] {
  const all = [
    section(starts, startFigures),
    section(takeOvers, takeOverFigures),
    section(growths, idleGrowthFigures),
  ];
  return all.filter(({ cases }) => cases.length > 0);
}

const section = <Run>(
  cases: readonly CaseResult<Run>[],
  figures: (results: readonly CaseResult<Run>[]) => readonly Figure<Run>[],
): Section => ({ cases, rows: rowsOf(figures(cases), cases) });

function tableOf({ cases, rows }: Section): Promise<string> {
  const lines = rows.map(({ cells, unit, ...row }, index) => [
    labelOf(row, rows[index - 1]),
    ...cells.map((cell) => text(cell, unit)),
    cells.flatMap((cell) => verdict(cell, unit)).join(', '),
  ]);
  return formatTable(['', ...cases.map(title), 'target, at most'], lines);
}

/** The first line of a group names it. */
function labelOf({ group, label }: Pick<Row, 'group' | 'label'>, before: Row | undefined): string {
  if (group === undefined) return label;
  return group === before?.group ? `  ${label}` : `${group}: ${label}`;
}

const facts = ({ group, label, unit, cells }: Row) =>
  cells.map((cell) => ({
    case: cell.name,
    figure: group === undefined ? label : `${group}: ${label}`,
    unit,
    ...(cell.values.length > 0 ? spreadOf(cell.values) : {}),
    target: cell.target,
    met: isMet(cell),
  }));

function describe(options: BenchOptions): string {
  const { runs, connections } = options;
  const spread = runs > 1 ? `medians of ${runs} runs (least to most)` : 'one run';
  return [machineText(), `${connections} connections`, spread, ...notesOf(options)].join('; ');
}

/** Without which the figures would be misread. */
const notesOf = ({ versus, temporal }: BenchOptions): string[] => [
  ...(versus ? [`cases a, b and c without gangs, as ${versus} has none of its own`] : []),
  ...(temporal === 'postgresql' ? ["Temporal's server with PostgreSQL"] : []),
];

function text({ values }: Cell, unit: Unit): string {
  if (values.length === 0) return '-';
  const { median, min, max } = spreadOf(values);
  const form = FORMS[unit];
  const bare = (value: number) => form(value).split(' ')[0];
  return values.length === 1 ? form(median) : `${form(median)} (${bare(min)} to ${bare(max)})`;
}

function verdict(cell: Cell, unit: Unit): string[] {
  const { name, target } = cell;
  return target === undefined ? [] : [`${name}: ${isMet(cell) ? 'met' : 'missed'} (${FORMS[unit](target)})`];
}

/** By the median: one run that the machine disturbed decides nothing. */
function isMet({ values, target }: Cell): boolean | undefined {
  if (target === undefined || values.length === 0) return undefined;
  return spreadOf(values).median <= target;
}
