import type { Bar } from './chart.ts';

/** More bars in a row are too narrow to be seen. */
const MOST = 300;

/** Leaves a row as it is, or, if it has too many bars, one for each column: the colour that took most of it. */
export function mergedBars(bars: readonly Bar[], from: number, to: number): readonly Bar[] {
  if (bars.length <= MOST) return bars;
  const width = Math.max(1, (to - from) / MOST);
  const merged: Bar[] = [];
  for (const [column, colour] of prevailingColours(bars, from, width)) {
    const start = from + column * width;
    const last = merged.at(-1);
    const isNext = last && last.colour === colour && Math.abs(last.to - start) < width / 2;
    if (isNext) merged[merged.length - 1] = { ...last, to: start + width };
    else merged.push({ from: start, to: start + width, colour });
  }
  return merged;
}

/** Returns the colour of each column that has one, in order. */
function prevailingColours(bars: readonly Bar[], from: number, width: number): Map<number, string> {
  const columns = new Map<number, Map<string, number>>();
  for (const bar of bars) {
    for (let column = columnOf(bar.from); from + column * width < bar.to; column += 1) {
      const start = from + column * width;
      const time = Math.min(bar.to, start + width) - Math.max(bar.from, start);
      const times = columns.get(column) ?? new Map<string, number>();
      columns.set(column, times.set(bar.colour, (times.get(bar.colour) ?? 0) + time));
    }
  }
  const ordered = [...columns].sort(([a], [b]) => a - b);
  return new Map(ordered.map(([column, times]) => [column, longest(times)]));

  function columnOf(at: number): number {
    return Math.floor((at - from) / width);
  }
}

const longest = (times: ReadonlyMap<string, number>): string =>
  [...times].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
