import { stripVTControlCharacters } from 'node:util';
import { visible } from '../../../language/visible-text.ts';

/** Text that is markup already. Only `html` and `trusted` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Content = Markup | string | number | undefined | null | false | readonly Content[];

/**
 * Builds markup; every value that is not markup itself is escaped. Names, messages and log lines come from anywhere.
 * Attributes in templates must have double quotes.
 *
 * @example
 * html`<td title="${name}">${message}</td>`;
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0]!;
  for (const [index, value] of values.entries()) text += textOfContent(value) + parts[index + 1]!;
  return new Markup(text);
}

/** Marks as markup what this program itself has written, e.g. a chart or a style sheet. */
export const trusted = (text: string): Markup => new Markup(text);

function textOfContent(value: Content): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(textOfContent).join('');
  return escaped(visible(String(value)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Removes what colours a line of a log in a terminal. */
export const withoutColours = (line: string): string => stripVTControlCharacters(line);
