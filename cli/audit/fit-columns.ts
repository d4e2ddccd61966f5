import { keysOf, ownValue } from '../../language/fields.ts';
import { COLUMNS } from '../../record/index/columns.ts';

/** A column and how wide it is, in characters. */
interface ColumnWidth {
  readonly name: string;
  readonly width: number;
}

/** Between two columns. */
const GAP = 3;

/** A sentence may be cut, but not to less than this. */
const LEAST_OF_A_SENTENCE = 24;
/** A sentence that is not the last one leaves room for it. */
const MOST_BEFORE_THE_LAST = 40;

/** What a terminal without room for everything does not show: the first of these goes first. */
const LEAST_IMPORTANT = keysOf(COLUMNS)
  .filter((name) => COLUMNS[name]?.importance !== undefined)
  .toSorted((a, b) => COLUMNS[a]!.importance! - COLUMNS[b]!.importance!);

const isSentence = (name: string): boolean => ownValue(COLUMNS, name)?.isSentence === true;

/** Returns the columns that fit into so many characters, with the widths that they then have. */
export function fitColumns(columns: readonly ColumnWidth[], room: number): readonly ColumnWidth[] {
  let shown = columns;
  for (const least of LEAST_IMPORTANT) {
    if (widthOf(shown.map(leastOf)) <= room) break;
    const rest = shown.filter(({ name }) => name !== least);
    if (rest.length > 0) shown = rest;
  }
  return withinRoom(shown, room);
}

const widthOf = (columns: readonly ColumnWidth[]): number =>
  columns.reduce((sum, { width }) => sum + width + GAP, -GAP);

const leastOf = ({ name, width }: ColumnWidth): ColumnWidth => ({
  name,
  width: isSentence(name) ? Math.min(width, LEAST_OF_A_SENTENCE) : width,
});

/** Gives sentences what the other columns leave, in their order. */
function withinRoom(columns: readonly ColumnWidth[], room: number): readonly ColumnWidth[] {
  let left = room - widthOf(columns.map(leastOf));
  const last = columns.findLast(({ name }) => isSentence(name));
  return columns.map((column) => {
    const least = leastOf(column).width;
    const most = column === last ? column.width : Math.min(column.width, MOST_BEFORE_THE_LAST);
    const more = Math.max(0, Math.min(left, most - least));
    left -= more;
    return { name: column.name, width: least + more };
  });
}
