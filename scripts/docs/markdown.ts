interface Page {
  /** The question that the page answers. */
  readonly title: string;
  /** The source file of the page. */
  readonly source: string;
  readonly body: readonly string[];
}

export const page = ({ title, source, body }: Page) =>
  `${[`# ${title}`, `<!-- Generated from ${source} by \`npm run docs\`; edit that. -->`, ...body].join('\n\n')}\n`;

/** Wraps prose, by default at 120 characters. */
export function paragraph(text: string, width = WIDTH): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (longer.length > width || lines.length === 0) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}

const WIDTH = 120;

/** Formats a table without padding, so that a changed cell changes one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(inRow).join('\n');
}

const inRow = (cells: readonly string[]) => `|${cells.map(asCell).join('|')}|`;

const asCell = (text: string) =>
  text === '' ? ' ' : ` ${text.replaceAll('|', '\\|').replaceAll('\n', ' ')} `;
