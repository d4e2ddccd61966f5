import { Option } from 'commander';
import { escapedInJson, visible } from '../../language/visible-text.ts';
import { coloursIf, terminalText } from './terminal-text.ts';

const DATA_FORMATS = ['json', 'yaml'] as const;
export type Format = (typeof DATA_FORMATS)[number] | undefined;
export type FormatOrName = Format | 'name';
export type TableFormat = FormatOrName | 'wide';

/** `more`: what a command prints besides data: `name`, workflow ids to give to other commands; `wide`, more of the text; `jsonl` and `csv`, a line each. */
export const outputOption = (...more: readonly ('name' | 'wide' | 'jsonl' | 'csv')[]) =>
  new Option('-o, --output <format>', 'print data instead of text').choices([...more, ...DATA_FORMATS]);

export const headingsOption = () => new Option('--no-headers', 'no line of headings');

const wantsColour = ({ isTTY }: { isTTY?: boolean }) => {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  return !NO_COLOR && (Boolean(FORCE_COLOR) || (isTTY === true && TERM !== 'dumb'));
};

/** Colours for standard output. `write` and `note` let no other control sequence through. */
export const colours = coloursIf(wantsColour(process.stdout));

/** Prints data in the requested format, or as text for people. */
export async function print(
  data: unknown,
  format: Format,
  text: () => string | Promise<string>,
): Promise<void> {
  if (format) await printData(data, format);
  else write(await text());
}

export const printData = async (data: unknown, format: NonNullable<Format>): Promise<void> =>
  writeData(await formatted(data, format), format);

/** Returns a list if several things were requested, however many there are. */
export const oneOrAll = <T>(things: readonly T[], isOne: boolean): T | readonly T[] =>
  isOne ? things[0]! : things;

export async function formatted(data: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return JSON.stringify(data, null, 2);
  const { stringify } = await import('yaml');
  return stringify(data).trimEnd();
}

/** Prints text for people. */
export const write = (text: string): void => {
  process.stdout.write(`${terminalText(text)}\n`);
};

/** Prints data for programs as it is. On a terminal its control characters are escaped, or visible where that is no escape. */
export const writeData = (text: string, format: DataFormat): void => {
  process.stdout.write(`${dataText(text, format)}\n`);
};

export type DataFormat = 'json' | 'jsonl' | 'yaml' | 'csv' | 'text';

export function dataText(text: string, format: DataFormat, isTerminal = process.stdout.isTTY): string {
  if (!isTerminal) return text;
  return format.startsWith('json') ? escapedInJson(text) : visible(text);
}

/** Prints progress, warnings and remarks to standard error, so that standard output has only the result. */
export const note = (text: string): void => {
  process.stderr.write(`${terminalText(text)}\n`);
};

const PAINT: Readonly<Record<string, (text: string) => string>> = {
  Completed: colours.green,
  Running: colours.cyan,
  Failed: colours.red,
  Stopped: colours.yellow,
  Restarting: colours.yellow,
};

/** In the colour of the phase; `text`: another text than its name. */
export const painted = (phase: string, text = phase): string => (PAINT[phase] ?? String)(text);
