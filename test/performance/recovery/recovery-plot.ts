import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { finishedSvg } from '../finished-svg.ts';
import type { Trial } from './trial.ts';

interface Point {
  readonly fault: string;
  readonly row: string;
  readonly seconds: number;
  readonly result: string;
}

const RESULTS = { recovered: 'trains again', missed: 'not within the cap' } as const;

/** Draws a point for each trial, as SVG that can be read on any background. */
export function plotTrials(trials: readonly Trial[], capMs: number): string {
  const { document } = parseHTML('<html><body></body></html>');
  const points = trials.flatMap((trial) => pointOf(trial, capMs));
  const plot = Plot.plot({
    document,
    ...{ width: 760, marginLeft: 190, marginRight: 170, marginBottom: 40 },
    height: 60 + 26 * new Set(points.map(({ fault, row }) => `${fault} ${row}`)).size,
    style: { background: 'white', color: '#222', fontSize: '12px' },
    x: { type: 'log', label: 'seconds from the fault until every rank trains again', grid: true },
    y: { label: null, domain: [...new Set(points.map(({ row }) => row))] },
    fy: { label: null, domain: [...new Set(points.map(({ fault }) => fault))] },
    color: { domain: Object.values(RESULTS), range: ['#4477aa', '#cc3311'] },
    marks: [
      Plot.frame({ stroke: '#ddd' }),
      Plot.dot(points, { fy: 'fault', y: 'row', x: 'seconds', fill: 'result', r: 4 }),
    ],
  });
  return finishedSvg(plot, 'Time to recover by kind of fault and system');
}

function pointOf({ fault, system, settings, findings }: Trial, capMs: number): Point[] {
  if (!findings) return [];
  const { recovery } = findings;
  const row = `${system}, ${settings}`;
  const seconds = (recovery?.trainedMs ?? capMs) / 1_000;
  return [{ fault, row, seconds, result: recovery ? RESULTS.recovered : RESULTS.missed }];
}
