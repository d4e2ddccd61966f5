import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { finishedSvg } from './finished-svg.ts';

interface Waits {
  readonly policy: string;
  /** Gang sizes, e.g. `8-31`. */
  readonly group: string;
  readonly p50: number;
  readonly p95: number;
}

const HOUR_MS = 3_600_000;
/** Waits below a minute are drawn as one. */
const LEAST_HOURS = 1 / 60;

/** Draws waits by gang size and policy, as SVG that can be read on any background. */
export function plotWaits(all: readonly Waits[]): string {
  const { document } = parseHTML('<html><body></body></html>');
  const points = all.flatMap(({ policy, group, p50, p95 }) =>
    [
      { which: 'half wait for less', ms: p50 },
      { which: '95 % wait for less', ms: p95 },
    ].map(({ which, ms }) => ({
      policy,
      group: `${group} GPU`,
      which,
      hours: Math.max(LEAST_HOURS, ms / HOUR_MS),
    })),
  );
  const plot = Plot.plot({
    document,
    ...{ width: 760, height: 460, marginLeft: 170, marginRight: 90, marginBottom: 40 },
    style: { background: 'white', color: '#222', fontSize: '12px' },
    x: {
      type: 'log',
      label: 'hours (a minute and less: left edge)',
      grid: true,
      domain: [LEAST_HOURS, 100],
      tickFormat: hoursText,
      ticks: [1 / 60, 0.1, 1, 10, 100],
    },
    y: { label: null, domain: [...new Set(all.map(({ policy }) => policy))] },
    fy: { label: null, domain: [...new Set(points.map(({ group }) => group))] },
    color: { domain: ['half wait for less', '95 % wait for less'], range: ['#4477aa', '#cc3311'] },
    marks: [
      Plot.ruleY(all, {
        fy: ({ group }: Waits) => `${group} GPU`,
        y: 'policy',
        x1: ({ p50 }: Waits) => Math.max(LEAST_HOURS, p50 / HOUR_MS),
        x2: ({ p95 }: Waits) => Math.max(LEAST_HOURS, p95 / HOUR_MS),
        stroke: '#999',
      }),
      Plot.dot(points, { fy: 'group', y: 'policy', x: 'hours', fill: 'which', r: 4 }),
    ],
  });
  return finishedSvg(plot, 'Waits by gang size and policy');
}

const hoursText = (hours: number) => (hours < 1 ? `${Math.round(hours * 60)} min` : `${hours} h`);
