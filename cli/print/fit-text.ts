/** Texts in the cells of a terminal. */

/** Returns a text without control sequences in exactly so many cells: padded, or cut with `…`. */
export function fitted(text: string, cells: number): string {
  const width = cellsOf(text);
  if (width <= cells) return text + ' '.repeat(cells - width);
  let left = Math.max(cells, 1) - 1;
  let start = '';
  for (const character of text) {
    left -= cellsOfCharacter(character);
    if (left < 0) break;
    start += character;
  }
  return cells < 1 ? '' : fitted(`${start}…`, cells);
}

/** How many cells a text without control sequences takes. */
export const cellsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + cellsOfCharacter(character), 0);

/** Splits a line, which may have colours, into lines of so many cells. */
export function wrapped(line: string, cells: number): string[] {
  const lines = [''];
  let left = cells;
  for (const part of line.match(PARTS) ?? []) {
    const width = part.startsWith(ESCAPE) ? 0 : cellsOfCharacter(part);
    if (width > left) {
      lines.push('');
      left = cells;
    }
    lines[lines.length - 1] += part;
    left -= width;
  }
  return lines;
}

const ESCAPE = '\u001b';
/** Select Graphic Rendition, or one character. */
const PARTS = new RegExp(`${ESCAPE}\\[[\\d;:]*m|.`, 'gsu');

/** East Asian letters and pictures take two cells, marks on letters none. */
function cellsOfCharacter(character: string): number {
  if (character < '\u0300') return 1;
  if (NO_CELL.test(character)) return 0;
  return TWO_CELLS.test(character) ? 2 : 1;
}

const NO_CELL = /^[\p{Mn}\p{Me}]$/u;
const TWO_CELLS =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
