import type { LedgerEntry } from '../../../contracts/types.ts';
import { countText } from '../../../language/count-text.ts';
import { formatDuration } from '../../../language/duration.ts';
import { isRestartInPlace } from '../../facts/in-place-restarts.ts';
import type { PodLife } from '../../facts/pod-lives.ts';
import { phasesOf, type Span } from '../../facts/spans.ts';
import { ms } from '../../facts/times.ts';
import { clockText } from '../page/time-texts.ts';
import type { Bar, GanttChart, Mark, Row } from './chart.ts';
import { podRows } from './pod-rows.ts';

interface JobTimes {
  readonly spans: readonly Span[];
  readonly lives: readonly PodLife[];
  readonly entries: readonly LedgerEntry[];
  readonly from: number;
  readonly to: number;
}

/** Returns a job's Gantt chart: its phases, what people asked, and its pods by role. */
export function jobGantt(times: JobTimes): GanttChart {
  const { spans, lives, entries, from, to } = times;
  const rows = [jobRow(times), ...unrecordedRows(times), ...podRows(lives, { from, to })];
  const lines = attemptLines(entries);
  const attempts = new Set(entries.map(({ attempt }) => attempt)).size;
  const pods = new Set(lives.map(({ pod }) => pod)).size;
  const failed = lives.filter(({ ended }) => ended === 'failed').length;
  const description =
    `Gantt chart over ${formatDuration(to - from)}: the phases of the job in ${countText(attempts, 'attempt')}` +
    (pods > 0 ? `, and ${pods} pods by role, of which ${failed} failed.` : '.') +
    ` ${phasesOf(spans)
      .slice(0, 12)
      .map((span) => `${span.phase} for ${formatDuration(span.to - span.from)}`)
      .join(', ')}.`;
  return { description, from, to, rows, lines };
}

const jobRow = ({ spans, entries, from, to }: JobTimes): Row => ({
  label: 'job',
  size: 'bar',
  bars: mergedBars(phasesOf(spans).map(phaseBar), from, to),
  marks: requestMarks(entries),
});

const phaseBar = ({ phase, attempt, from, to, message }: Span): Bar => ({
  from,
  to,
  colour: phase.toLowerCase(),
  title: `${phase}, attempt ${attempt}: ${clockText(from)} to ${clockText(to)} UTC, ${formatDuration(to - from)}\n${message}`,
});

const requestMarks = (entries: readonly LedgerEntry[]): Mark[] =>
  entries.flatMap(({ at, cause }) =>
    cause.type === 'request'
      ? [
          {
            at: ms(at),
            kind: 'request',
            title: `${clockText(at)} UTC: ${cause.request}${cause.refused ? ', refused' : ''}`,
          },
        ]
      : [],
  );

/** Attempts without a record of their pods, from the ledger alone. */
function unrecordedRows({ spans, lives, entries, from, to }: JobTimes): Row[] {
  const recorded = new Set(lives.map(({ attempt }) => attempt));
  const phases = phasesOf(spans).filter(({ attempt }) => !recorded.has(attempt));
  return [...Map.groupBy(phases, ({ attempt }) => attempt)].map(([attempt, own]) => ({
    label: `attempt ${attempt}`,
    size: 'bar',
    bars: mergedBars(own.map(phaseBar), from, to),
    marks: entries.filter((entry) => entry.attempt === attempt && entry.pods?.length).map(podsMark),
  }));
}

function podsMark(entry: LedgerEntry): Mark {
  const { at, pods = [], message } = entry;
  const time = `${clockText(at)} UTC`;
  if (isRestartInPlace(entry)) return { at: ms(at), kind: 'restart', title: `${time}: ${message}` };
  return { at: ms(at), kind: 'failure', title: `${time}: ${pods.map(({ pod }) => pod).join(', ')} failed` };
}

/** Where each attempt begins, if there are several. */
function attemptLines(entries: readonly LedgerEntry[]): GanttChart['lines'] {
  const first = new Map<number, LedgerEntry>();
  for (const entry of entries) if (!first.has(entry.attempt)) first.set(entry.attempt, entry);
  return first.size < 2
    ? []
    : [...first.values()].map(({ at, attempt }) => ({ at: ms(at), label: `attempt ${attempt}` }));
}

/** More bars in a row are too narrow to be seen. */
const MOST = 300;

/** Leaves a row as it is, or, if it has too many bars, one for each column: the colour that took most of it. */
function mergedBars(bars: readonly Bar[], from: number, to: number): readonly Bar[] {
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
