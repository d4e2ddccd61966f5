import { html, type Markup, trusted } from './markup.ts';

interface TableColumn {
  readonly heading: string;
  /** `number` and `time` are set in one line; `late` columns are left out on a phone. */
  readonly is?: 'number' | 'time';
  readonly late?: boolean;
}

type Cell = Markup | string | number | undefined;

/**
 * Returns a table that can be scrolled by keyboard. The first cell of a row names the row. HTML needs no end of cells and
 * rows, and a large table is a third smaller without.
 */
export const tableMarkup = (
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): Markup => html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.heading}</th>`)}</tr></thead>
<tbody>${rows.map((row) => rowMarkup(row, columns))}</tbody>
</table></div>`;

const rowMarkup = (row: readonly Cell[], columns: readonly TableColumn[]) =>
  html`<tr>${row.map((cell, index) =>
    index === 0
      ? html`<th scope="row"${classOf(columns[0]!)}>${cell}`
      : html`<td${classOf(columns[index]!)}>${cell}`,
  )}\n`;

const CLASSES = { number: 'n', time: 't' } as const;

const classOf = ({ is, late }: TableColumn): Markup => {
  const classes = [...(is ? [CLASSES[is]] : []), ...(late ? ['late'] : [])];
  return trusted(classes.length > 0 ? ` class="${classes.join(' ')}"` : '');
};
