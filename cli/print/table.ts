import { colours } from './output.ts';
import { ownSequences, terminalText } from './terminal-text.ts';

/** Formats columns without lines, as kubectl does; without headings if `head` is undefined. */
export async function formatTable(
  head: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  /** Widths of the columns, in characters; longer text goes on in the next line. Default: as wide as they are. */
  widths?: readonly number[],
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const sides = ['top', 'bottom', 'left', 'right', 'mid'];
  const parts = [...sides, 'top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const none = [...parts, 'left-mid', 'mid-mid', 'right-mid', 'middle'].map((part) => [part, '']);
  const drawn = new Table({
    ...(head ? { head: head.map((title) => terminalText(colours.bold(title))) } : {}),
    chars: Object.fromEntries(none),
    ...(widths ? { colWidths: [...widths], wordWrap: true, wrapOnWordBoundary: false } : {}),
    style: { 'padding-left': 0, 'padding-right': 3, head: [], border: [] },
  });
  // Columns are as wide as what is shown; after this, all control sequences are ours.
  drawn.push(...rows.map((row) => row.map(terminalText)));
  const lines = drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return ownSequences(lines.join('\n'));
}
