import { isFinal } from '../../contracts/status.ts';
import { countText } from '../../language/count-text.ts';
import { cellsOf, fitted, wrapped } from '../print/fit-text.ts';
import { colours } from '../print/output.ts';
import { terminalText } from '../print/terminal-text.ts';
import { clock } from '../print/times.ts';
import { KEYS_OF_LIST, KEYS_OF_PAGE } from './keys.ts';
import { roomForJobs, roomForPage, shownLines } from './layout.ts';
import { keyOf, oneLine, type TopJob, topColumns } from './top-job.ts';
import { shownJobs, type TopPage, type TopPrompt, type TopState } from './top-state.ts';
import { sumsText, topSums } from './top-sums.ts';

/** Returns the lines of the screen, as many as it has at most. */
export function frame(state: TopState): readonly string[] {
  const { rows, columns } = state.size;
  const last = lastLine(state);
  const lines = state.page ? pageLines(state.page, state) : listLines(state);
  const body = Array.from({ length: Math.max(0, rows - 1) }, (_, index) =>
    // A terminal may be narrower than the least that a row needs.
    cutLine(lines[index] ?? '', columns),
  );
  return rows < 1 ? [] : [...body, last(columns)];
}

const cutLine = (line: string, columns: number): string =>
  line.length > columns ? wrapped(line, columns)[0]! : line;

function listLines(state: TopState): string[] {
  const jobs = shownJobs(state);
  const room = roomForJobs(state);
  const head = headLines(state, jobs).slice(0, Math.max(0, state.size.rows - 1 - room - 1));
  // A page at a time: a move within it changes two lines.
  const from = Math.floor(state.index / room) * room;
  return [...head, ...tableLines(state, jobs, jobs.slice(from, from + room))];
}

function headLines(state: TopState, jobs: readonly TopJob[]): string[] {
  const { namespace, asOf, counts, filter, sort } = state;
  const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const number =
    jobs.length < all ? `${jobs.length} of ${countText(all, 'job')}` : countText(jobs.length, 'job');
  const [phases = '', sums = ''] = sumsText(topSums(jobs, filter.words.length > 0 ? undefined : counts));
  const order = sort.by ? `sorted by ${sort.by}` : 'live ones first, newest first';
  return [
    `${colours.bold('signalbox top')}  ${where}, ${number}${asOf === undefined ? '' : `, as of ${clock(asOf)}`}`,
    phases,
    sums,
    `${filter.text ? `filter ${filter.text}   ` : ''}${order}${sort.isReversed ? ', reversed' : ''}`,
  ].map(terminalText);
}

const GAP = 2;
const MARK = { selected: '> ', other: '  ' } as const;
const LEAST_OF_LAST = 20;
const MOST_OF_ONE = 44;

/** What a narrow terminal does not show: the first of these goes first. */
const LEAST_IMPORTANT = ['KIND', 'TOOK', 'ATTEMPT', 'GPUS', 'REASON', 'NAMESPACE'];

function tableLines(state: TopState, all: readonly TopJob[], shown: readonly TopJob[]): string[] {
  const { namespace, size, sort, selected } = state;
  const texts = topColumns(namespace === undefined).map((column) => ({
    ...column,
    cells: shown.map((job) => oneLine(column.text(job))),
  }));
  const widths = texts.map(({ title, cells }) =>
    Math.min(MOST_OF_ONE, Math.max(cellsOf(title), ...cells.map(cellsOf))),
  );
  const columns = fitting(
    texts.map((column, index) => ({ ...column, width: widths[index]! })),
    size.columns,
  );
  const head = columns.map(({ title, width }) => fitted(title === sort.by ? `${title}*` : title, width));
  const line = (mark: string, cells: readonly string[]) => mark + cells.join(' '.repeat(GAP));
  const rows = shown.map((job, row) => {
    const isSelected = keyOf(job) === selected;
    const cells = columns.map(({ cells, width, paint }) => {
      const text = fitted(cells[row]!, width);
      return paint && !isSelected ? paint(job, text) : text;
    });
    return isSelected ? colours.inverse(line(MARK.selected, cells)) : line(MARK.other, cells);
  });
  if (all.length === 0) rows.push(`${MARK.other}${emptyText(state)}`);
  return [colours.bold(line(MARK.other, head)), ...rows].map(terminalText);
}

interface Width {
  readonly title: string;
  readonly width: number;
}

/** Leaves out columns until the last one has room, and gives it what is left. */
function fitting<C extends Width>(columns: readonly C[], room: number): readonly C[] {
  let shown = columns;
  const left = () => {
    const before = shown.slice(0, -1).reduce((sum, { width }) => sum + width + GAP, MARK.other.length);
    return room - before;
  };
  for (const title of LEAST_IMPORTANT) {
    if (left() >= LEAST_OF_LAST) break;
    shown = shown.filter((column) => column.title !== title);
  }
  return shown.map((column, index) =>
    index === shown.length - 1 ? { ...column, width: Math.max(0, left()) } : column,
  );
}

function emptyText({ asOf, jobs }: TopState): string {
  if (asOf === undefined) return 'Listing jobs...';
  return jobs.length > 0 ? 'No job of the list has these words.' : 'No jobs match.';
}

function pageLines(page: TopPage, state: TopState): string[] {
  const lines = shownLines(page, state);
  const room = roomForPage(state);
  const from = page.down === undefined ? lines.length - room : page.down;
  const start = Math.max(0, Math.min(from, lines.length - room));
  return [
    terminalText(colours.bold(fitted(oneLine(page.title), state.size.columns).trimEnd())),
    ...lines.slice(start, start + room),
  ];
}

/** What is asked, what has happened, or which keys there are: the most important of these. */
function lastLine({ prompt, notice, trouble, page }: TopState): (columns: number) => string {
  if (prompt) return (columns) => ending(`${promptText(prompt)}_`, columns);
  const keys = Object.values(page ? KEYS_OF_PAGE : KEYS_OF_LIST).flatMap(({ hint }) => hint ?? []);
  const [text, paint] = notice
    ? [notice, colours.yellow]
    : trouble
      ? [trouble, colours.red]
      : [keys.join('  '), colours.dim];
  return (columns) =>
    terminalText(paint(fitted(terminalText(text).replaceAll('\n', ' '), columns).trimEnd()));
}

/** What is typed is seen, also where its beginning has no room. */
function ending(text: string, columns: number): string {
  let shown = oneLine(text);
  while (cellsOf(shown) > columns) shown = shown.slice(1);
  return shown;
}

function promptText(prompt: TopPrompt): string {
  if (prompt.for === 'filter') return `Filter (words, or options of list): ${prompt.text}`;
  const { workflowId, phase } = prompt.job;
  if (prompt.for === 'why') return `Stop ${workflowId}. Why? ${prompt.text}`;
  const state = isFinal(phase) ? '' : `, which is ${phase},`;
  return `Stop ${workflowId}${state} because: ${prompt.why}. Sure? y or n ${prompt.text}`;
}
