import { visible } from '../../language/visible-text.ts';
import { terminalText } from './terminal-text.ts';

interface LogOptions {
  /** Begins each line, e.g. with the pod's name. */
  readonly prefix: string;
  /** As the program wrote it, also on a terminal. */
  readonly raw?: boolean;
  readonly stream?: NodeJS.WriteStream;
}

/** Prints a line of a program's log: as it is, or on a terminal as `logText` returns it. */
export function writeLog(text: string, { prefix, raw, stream = process.stdout }: LogOptions): void {
  const before = terminalText(prefix);
  stream.write(`${raw || !stream.isTTY ? `${before}${text}` : logText(text, before)}\n`);
}

/**
 * Returns a line of a log for a terminal. Colours stay, and end with the line; so do carriage returns, by which progress
 * bars begin their line again, behind the prefix. All else that moves the cursor, or changes the terminal, is visible.
 */
export function logText(line: string, prefix: string): string {
  const [, ...colours] = line.split(COLOUR);
  const shown = line
    .replace(/\r+$/, '')
    .split(/\r+/)
    .map((part) => `${prefix}${part.split(COLOUR).map(visibleUnlessColour).join('')}`)
    .join('\r');
  return colours.length > 0 ? `${shown}${RESET}` : shown;
}

/** Select Graphic Rendition: colours, bold, underlined. */
const ESCAPE = '\u001b';
const COLOUR = new RegExp(`(${ESCAPE}\\[[\\d;:]*m)`);
const RESET = `${ESCAPE}[0m`;

const visibleUnlessColour = (part: string, index: number): string => (index % 2 === 1 ? part : visible(part));
