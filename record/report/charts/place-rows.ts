import { shorten } from '../../../language/shorten.ts';
import { visible } from '../../../language/visible-text.ts';
import type { Bar, ChartSize, Mark, Row } from './chart.ts';

const HEIGHTS = { heading: 26, bar: 20, tall: 72 } as const;
const GAP = 3;
/** On a phone, labels stand above their bars. */
const LABEL = 16;
/** What fits next to a chart; a phone has the whole width. */
const MOST_LETTERS = { wide: 28, narrow: 44 } as const;

interface PlacedBar extends Bar {
  readonly y1: number;
  readonly y2: number;
}

/** Gives each row its place below the one before, in pixels. */
export function placeRows(rows: readonly Row[], size: ChartSize) {
  const bars: PlacedBar[] = [];
  const labels: { readonly label: string; readonly y: number; readonly isHeading: boolean }[] = [];
  const marks: (Mark & { readonly y: number })[] = [];
  let top = 0;
  for (const row of rows) {
    const isAbove = size === 'narrow' && row.size !== 'heading';
    const start = top + (isAbove ? LABEL : 0);
    const height = HEIGHTS[row.size];
    const middle = start + height / 2;
    const label = shorten(visible(row.label), MOST_LETTERS[size]);
    labels.push({ label, y: isAbove ? top + LABEL / 2 : middle, isHeading: row.size === 'heading' });
    bars.push(...row.bars.map((bar) => placed(bar, start + GAP, height - 2 * GAP)));
    marks.push(...row.marks.map((mark) => ({ ...mark, title: visible(mark.title), y: middle })));
    top = start + height;
  }
  return { bars, labels, marks, height: top };
}

const placed = (bar: Bar, start: number, height: number): PlacedBar => ({
  ...bar,
  ...(bar.title ? { title: visible(bar.title) } : {}),
  y1: start + height * (bar.top ?? 0),
  y2: start + height * (bar.bottom ?? 1),
});
