import { cpus, totalmem } from 'node:os';
import { formatTable } from '../../cli/print/table.ts';
import { type CaseResult, title } from './bench.ts';
import { cpuFigures, FIGURES, type Figure, type Unit, valuesOf } from './figures.ts';
import type { BenchOptions } from './options.ts';
import { type Spread, spreadOf } from './spread.ts';

const FORMS: Readonly<Record<Unit, (value: number) => string>> = {
  s: (value) => `${value.toFixed(2)} s`,
  MB: (value) => `${Math.round(value)} MB`,
  kB: (value) => `${Math.round(value)} kB`,
  events: (value) => `${Math.round(value)}`,
  x: (value) => `${value.toFixed(2)} x`,
};

export async function textReport(results: readonly CaseResult[], options: BenchOptions): Promise<string> {
  const row = (figure: Figure) => [
    figure.label,
    ...results.map((result) => cell(figure, result)),
    results
      .map((result) => verdict(figure, result))
      .filter(Boolean)
      .join(', '),
  ];
  const processes = cpuFigures(results).map(row);
  const rows = [
    ...FIGURES.map(row),
    ...(processes.length
      ? [['processor time until then, of', ...results.map(() => ''), ''], ...processes]
      : []),
  ];
  return [
    describe(options),
    '',
    await formatTable(['', ...results.map(title), 'target, at most'], rows),
  ].join('\n');
}

export function jsonReport(results: readonly CaseResult[], options: BenchOptions): string {
  const figures = results.flatMap((result) =>
    FIGURES.map((figure) => ({
      case: result.name,
      figure: figure.label.trim(),
      unit: figure.unit,
      ...spreadOf(valuesOf(figure, result)),
      target: figure.target?.[result.name],
      met: isMet(figure, result),
    })),
  );
  return JSON.stringify({ machine: machine(), options, figures, results }, null, 2);
}

const machine = () => ({
  cpus: cpus().length,
  model: cpus()[0]?.model,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform}-${process.arch}`,
  node: process.versions.node,
});

function describe({ runs, connections }: BenchOptions): string {
  const { cpus, model, memoryGb, platform, node } = machine();
  const spread = runs > 1 ? `medians of ${runs} runs (least to most)` : 'one run';
  return `${cpus} x ${model}, ${memoryGb} GB, ${platform}, Node ${node}; ${connections} connections; ${spread}`;
}

function cell(figure: Figure, result: CaseResult): string {
  const values = valuesOf(figure, result);
  if (values.length === 0) return '-';
  const { median, min, max } = spreadOf(values);
  const form = FORMS[figure.unit];
  const bare = (value: number) => form(value).split(' ')[0];
  return values.length === 1 ? form(median) : `${form(median)} (${bare(min)} to ${bare(max)})`;
}

function verdict(figure: Figure, result: CaseResult): string {
  const target = figure.target?.[result.name];
  if (target === undefined) return '';
  return `${result.name}: ${isMet(figure, result) ? 'met' : 'missed'} (${FORMS[figure.unit](target)})`;
}

/** By the median: one run that the machine disturbed decides nothing. */
function isMet(figure: Figure, result: CaseResult): boolean | undefined {
  const target = figure.target?.[result.name];
  const values = valuesOf(figure, result);
  if (target === undefined || values.length === 0) return undefined;
  const { median }: Spread = spreadOf(values);
  return median <= target;
}
