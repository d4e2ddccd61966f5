import * as Plot from '@observablehq/plot';
import { clockText, dayText } from '../page/time-texts.ts';

interface Times {
  readonly from: number;
  readonly to: number;
}

interface Look {
  readonly ticks: number;
  readonly fontSize: number;
  /** Moves the labels. */
  readonly dy?: number;
}

const DAY_MS = 86_400_000;

/** Lines and labels for the time, in UTC: times of day, and the date where it changes. */
export function timeAxis({ from, to }: Times, { ticks: most, fontSize, dy = 0 }: Look) {
  // Labels have whole seconds: a shorter step would repeat them.
  const ticks = (to - from) / most < 1_000 ? 'second' : most;
  const tickFormat = to - from < 3_600_000 ? clockText : minutes;
  let day = '';
  const withDay = (at: Date) => {
    const label = to - from > 7 * DAY_MS ? '' : tickFormat(at.getTime());
    const isNew = dayText(at.getTime()) !== day;
    day = dayText(at.getTime());
    return isNew ? `${day}${label && `\n${label}`}` : `\n${label}`.trimEnd();
  };
  return [
    Plot.gridX({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.axisX({
      ...{ anchor: 'top', ticks, tickFormat: withDay, label: null, tickSize: 0, fontSize },
      ...{ fill: 'var(--muted)', lineAnchor: 'bottom', dy },
    }),
  ] as const;
}

const minutes = (at: number) => clockText(at).slice(0, 5);
