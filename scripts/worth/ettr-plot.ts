import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { finishedSvg } from '../../test/performance/finished-svg.ts';
import { type CostQuestion, estimate } from './estimate.ts';
import type { SystemTimes } from './recovery-times.ts';

const SCALES = [256, 1_024, 4_096, 16_384, 32_768];
const INTERVALS = [
  { seconds: 600, title: 'a checkpoint each 10 min' },
  { seconds: 1_800, title: 'each 30 min' },
  { seconds: 3_600, title: 'each hour' },
];
/** That people tell apart also if they see no red or green (Paul Tol's bright scheme). */
const COLOURS = ['#4477aa', '#ee6677', '#228833', '#aa3377'];

/** Draws the ratio by scale and interval, with its band, as SVG that can be read on any background. */
export function plotEttr(systems: readonly SystemTimes[], question: CostQuestion): string {
  const { document } = parseHTML('<html><body></body></html>');
  const points = systems.flatMap((system) => pointsOf(system, question));
  const names = [...new Set(points.map(({ system }) => system))];
  const settings = [...new Set(points.map((point) => point.settings))].sort();
  const facet = { fx: 'interval', fy: 'settings', x: 'gpus' } as const;
  const plot = Plot.plot({
    document,
    ...{
      width: 900,
      height: 60 + 240 * settings.length,
      marginTop: 40,
      marginLeft: 60,
      marginBottom: 44,
      marginRight: 60,
    },
    style: { background: 'white', color: '#222', fontSize: '12px' },
    x: { type: 'log', label: 'GPUs', ticks: SCALES, tickFormat: gpusText, grid: true },
    y: { label: 'ETTR, %', grid: true, domain: [leastOf(points), 100], clamp: true },
    fx: { label: null, domain: INTERVALS.map(({ title }) => title) },
    fy: { label: null, domain: settings },
    color: { domain: names, range: COLOURS },
    marks: [
      Plot.frame({ stroke: '#ccc' }),
      Plot.areaY(points, { ...facet, y1: 'low', y2: 'high', fill: 'system', fillOpacity: 0.15 }),
      Plot.lineY(points, { ...facet, y: 'ettr', stroke: 'system', strokeWidth: 1.8 }),
      Plot.dot(points, { ...facet, y: 'ettr', fill: 'system', r: 2.5 }),
      Plot.text(labelsOf(names), {
        ...{ fx: 'interval', fy: 'settings', x: 'gpus', y: 'y', text: 'system', fill: 'system' },
        ...{ textAnchor: 'start', dx: 4, fontWeight: 'bold' },
      }),
    ],
  });
  return finishedSvg(plot, 'Effective training time by number of GPUs, checkpoint interval and system');
}

interface Point {
  readonly system: string;
  readonly settings: string;
  readonly interval: string;
  readonly gpus: number;
  readonly ettr: number;
  readonly low: number;
  readonly high: number;
}

function pointsOf(system: SystemTimes, question: CostQuestion): Point[] {
  return INTERVALS.flatMap(({ seconds, title }) =>
    SCALES.flatMap((gpus) => {
      const found = estimate(system, { ...question, gpus, intervalSeconds: seconds });
      if (!found) return [];
      const [ettr, low, high] = [found.ettr, found.low, found.high].map((ratio) => 100 * ratio) as [
        number,
        number,
        number,
      ];
      return [{ system: system.system, settings: system.settings, interval: title, gpus, ettr, low, high }];
    }),
  );
}

/** The names stand where the first picture has room, below its lines. */
const labelsOf = (names: readonly string[]) =>
  names.map((system, index) => ({
    ...{ system, interval: INTERVALS[0]!.title, settings: 'best', gpus: SCALES[0]! },
    y: 72 - 5 * index,
  }));

const leastOf = (points: readonly Point[]) =>
  Math.min(50, 10 * Math.floor(Math.min(...points.map(({ low }) => low)) / 10));

const gpusText = (gpus: number) => (gpus < 1_000 ? String(gpus) : `${Math.round(gpus / 1_024)}k`);
