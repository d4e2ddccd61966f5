import { stringify } from 'csv-stringify/sync';
import type { AnswerCell } from '../../record/audit/answer-cell.ts';

/** Returns lines of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets a `'` before it. */
export const csvLines = (rows: readonly (readonly AnswerCell[])[]): string =>
  stringify(
    rows.map((row) =>
      row.map((cell) => (typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell)),
    ),
    { escape_formulas: true, cast: { boolean: String } },
  );
