import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { ChartSize, Charts, GanttChart, LayerChart, LineChart, Mark } from './chart.ts';
import { placeRows } from './place-rows.ts';
import { joinedBars } from './plot-joined-bars.ts';
import { finished } from './plot-svg.ts';
import { timeAxis } from './time-axis.ts';

/** Charts by Observable Plot, which draws into a document of linkedom (docs/decisions/0044). */
export function plotCharts(): Charts {
  const { document } = parseHTML('<html><body></body></html>');
  return {
    gantt: (chart, size) => finished(gantt(document, chart, size), chart.description),
    layers: (chart, size) => finished(layers(document, chart, size), chart.description),
    lines: (chart, size) => finished(lines(document, chart, size), chart.description),
  };
}

type PlotDocument = ReturnType<typeof parseHTML>['document'];

const SIZES = { wide: { width: 1000, ticks: 8 }, narrow: { width: 340, ticks: 5 } } as const;
const FONT = 12;
/** Room for the time, the date, and the names of attempts. */
const TOP = 54;

/** Letters of the system's font are this wide, or less. */
const labelWidth = (labels: readonly string[]) =>
  Math.max(60, ...labels.map((label) => 14 + label.length * FONT * 0.58));

/**
 * What was before or after the job by the clock of another machine is drawn at its beginning or end, never over labels: the times of
 * Kubernetes have whole seconds.
 */
const timeScale = ({ from, to }: { readonly from: number; readonly to: number }) =>
  ({ type: 'utc', domain: [date(from), date(to)], clamp: true }) as const;

const colourOf = (name: string) => `var(--${name})`;
const date = (at: number) => new Date(at);

function gantt(document: PlotDocument, chart: GanttChart, size: ChartSize) {
  const { bars, labels, marks, height } = placeRows(chart.rows, size);
  const { width, ticks } = SIZES[size];
  const marginLeft = size === 'wide' ? labelWidth(labels.map(({ label }) => label)) : 2;
  const [joined, single] = [bars.filter((bar) => !bar.title), bars.filter((bar) => bar.title)];
  return Plot.plot({
    document,
    ...{ width, height: height + TOP + 4, marginLeft, marginRight: 12, marginTop: TOP, marginBottom: 4 },
    x: timeScale(chart),
    y: { type: 'linear', domain: [height, 0], axis: null, reverse: false, range: [height + TOP, TOP] },
    marks: [
      ...timeAxis(chart, { ticks, fontSize: FONT, dy: -14 }),
      Plot.rect(joined, { ...edges, fill: (bar) => colourOf(bar.colour), render: joinedBars }),
      Plot.rect(single, {
        ...edges,
        ...{ fill: (bar) => colourOf(bar.colour), title: size === 'wide' ? 'title' : undefined },
        ...{ rx: 1.5, inset: 0, insetRight: 0.5 },
      }),
      ...attemptRules(chart.lines, ticks),
      ...[true, false].map((isHeading) => rowLabels(labels, { isHeading, size })),
      ...markDots(marks, size),
    ],
  });
}

/** Dashed, with their names at the top. */
const attemptRules = (moments: GanttChart['lines'], most: number) => [
  Plot.ruleX(moments, { x: ({ at }) => date(at), stroke: colourOf('line'), strokeDasharray: '3 3' }),
  Plot.text(moments.slice(0, most), {
    ...{ x: ({ at }) => date(at), text: 'label', frameAnchor: 'top', textAnchor: 'start' },
    ...{ dx: 3, dy: -14, fontSize: FONT - 1, fill: colourOf('muted') },
  }),
];

interface Labels {
  readonly isHeading: boolean;
  readonly size: ChartSize;
}

const rowLabels = (labels: ReturnType<typeof placeRows>['labels'], { isHeading, size }: Labels) =>
  Plot.text(
    labels.filter((label) => label.isHeading === isHeading),
    {
      ...{ y: 'y', text: 'label', frameAnchor: 'left', textAnchor: size === 'wide' ? 'end' : 'start' },
      ...{ dx: size === 'wide' ? -8 : 0, fontSize: FONT, fontWeight: isHeading ? 600 : 400 },
      fill: colourOf(isHeading ? 'text' : 'muted'),
    },
  );

/** With a rim, as they are on top of bars. */
const markDots = (marks: ReturnType<typeof placeRows>['marks'], size: ChartSize) => [
  Plot.dot(marks, { x: ({ at }) => date(at), y: 'y', r: 7, fill: colourOf('bg') }),
  Plot.dot(marks, {
    ...{ x: ({ at }) => date(at), y: 'y', r: 4.2, title: size === 'wide' ? 'title' : undefined },
    ...{ symbol: ({ kind }: Mark) => LOOKS[kind].symbol },
    ...{ stroke: ({ kind }: Mark) => colourOf(LOOKS[kind].colour), fill: colourOf('bg'), strokeWidth: 2.2 },
  }),
];

const LOOKS = {
  failure: { symbol: 'times', colour: 'failure' },
  restart: { symbol: 'circle', colour: 'warn' },
  request: { symbol: 'diamond2', colour: 'request' },
} as const;

const edges = {
  x1: (bar: { from: number }) => date(bar.from),
  x2: (bar: { to: number }) => date(bar.to),
  y1: 'y1',
  y2: 'y2',
};

function layers(document: PlotDocument, chart: LayerChart, size: ChartSize) {
  const { width, ticks } = SIZES[size];
  const points = [...chart.points, { ...chart.points.at(-1)!, at: chart.to }];
  const rows = points.flatMap(({ at, counts }) =>
    chart.layers.map((layer) => ({ at: date(at), layer, pods: counts[layer] ?? 0 })),
  );
  return Plot.plot({
    document,
    ...{ width, height: 200, marginLeft: size === 'wide' ? 60 : 34, marginRight: 12, marginTop: 28 },
    marginBottom: 6,
    x: timeScale(chart),
    marks: [
      ...timeAxis(chart, { ticks, fontSize: FONT }),
      Plot.axisY({ label: null, ticks: 4, tickFormat: wholeNumber, fontSize: FONT, tickSize: 0 }),
      Plot.areaY(rows, {
        ...{ x: 'at', y: 'pods', z: 'layer', fill: ({ layer }) => colourOf(`pod-${layer}`) },
        ...{ curve: 'step-after', order: [...chart.layers] },
      }),
    ],
  });
}

/** A dot shows where each line ends, and a point that is alone. */
function lines(document: PlotDocument, chart: LineChart, size: ChartSize) {
  const { width, ticks } = SIZES[size];
  const place = { x: ({ at }: { at: number }) => date(at), y: 'value' } as const;
  const ends = [...Map.groupBy(chart.points, ({ line }) => line).values()].map((some) => some.at(-1)!);
  return Plot.plot({
    document,
    ...{ width, height: 200, marginLeft: size === 'wide' ? 60 : 40, marginRight: 12, marginTop: TOP },
    marginBottom: 8,
    x: timeScale(chart),
    y: { zero: true },
    marks: [
      ...timeAxis(chart, { ticks, fontSize: FONT, dy: -14 }),
      Plot.axisY({ label: null, ticks: 4, tickFormat: shortNumber, fontSize: FONT, tickSize: 0 }),
      ...attemptRules(chart.lines, ticks),
      ...(chart.most === undefined
        ? []
        : [Plot.ruleY([chart.most], { stroke: colourOf('line'), strokeDasharray: '3 3' })]),
      Plot.line(chart.points, { ...place, z: 'line', stroke: colourOf('running'), strokeWidth: 2.2 }),
      Plot.dot(ends, { ...place, r: 3.4, fill: colourOf('running') }),
      Plot.dot(chart.squares, {
        ...{ ...place, symbol: 'square', r: 4.4, stroke: colourOf('request') },
        ...{ fill: colourOf('bg'), strokeWidth: 2 },
      }),
    ],
  });
}

/** `12k`, which is as wide as a phone has room for. */
const shortNumber = (value: number) => value.toLocaleString('en', { notation: 'compact' });

const wholeNumber = (value: number) => (Number.isInteger(value) ? String(value) : '');
