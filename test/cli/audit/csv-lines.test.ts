import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLines } from '../../../cli/audit/csv-lines.ts';

describe('a line of CSV', () => {
  test.each([
    [['a', 1, null, true], 'a,1,,true\n'],
    [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"\n'],
    [[[1, 'x'], { a: 1 }], '"[1,""x""]","{""a"":1}"\n'],
    [[-3.5], '-3.5\n'],
    [[null], '\n'],
  ])('%j', (row, line) => expect(csvLines([row])).toBe(line));

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])(
    'does not let a spreadsheet evaluate the text %j',
    (text) => expect(csvLines([[text]])).toMatch(/^"?'/),
  );

  test('never has more cells than the row, and no formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (row) => {
        const cells = parseCsv(csvLines([row]));
        expect(cells).toHaveLength(row.length);
        for (const [index, cell] of cells.entries()) {
          expect(cell.replace(/^'/, '')).toBe(row[index]!.replace(/^'/, ''));
          expect(cell).not.toMatch(/^[=+\-@\t\r]/);
        }
      }),
    );
  });
});

/** A reader of its own, for one record. */
function parseCsv(text: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const character of text.slice(0, -1)) {
    if (character === '"') {
      isQuoted = !isQuoted;
      cells[cells.length - 1] += '"';
    } else if (character === ',' && !isQuoted) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
