export interface Page {
  /** The question that the page answers. */
  readonly title: string;
  /** The file that it is generated from. */
  readonly source: string;
  readonly body: readonly string[];
}

export const page = ({ title, source, body }: Page) =>
  `${[`# ${title}`, `<!-- Generated from ${source} by \`npm run docs\`; edit that. -->`, ...body].join('\n\n')}\n`;

/** A table with its columns aligned, as biome formats it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(asCell));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const [first, ...others] = cells.map((row) =>
    inRow(row.map((text, column) => text.padEnd(widths[column]!))),
  );
  return [first, inRow(widths.map((width) => '-'.repeat(width))), ...others].join('\n');
}

const asCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const inRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
