import { colours } from './output.ts';

/** Formats named values, whose names have a column of this width; nothing if there is no value. */
export const fieldsOf =
  (width: number) =>
  (name: string, value: string | undefined): string =>
    value ? `  ${colours.dim(name.padEnd(width))} ${indented(value, width + 3)}` : '';

/** Further lines of a text begin below its first one: a message of others must not look like a line of ours. */
export const indented = (text: string, column: number): string =>
  text.replaceAll('\n', `\n${' '.repeat(column)}`);
