import { stripVTControlCharacters } from 'node:util';
import type { Line } from './matching.ts';

/** What a form needs stands before it; expressions take time linear in the text. */
const MOST_CHARACTERS = 1_000;

/** The last frame of a line that is redrawn, without colours, cursor movements and backspaces. */
export function cleanLine(written: string): string {
  const end = written.replace(/[\r\n]+$/, '');
  const frame = end.slice(end.lastIndexOf('\r') + 1).slice(0, 4 * MOST_CHARACTERS);
  return stripVTControlCharacters(frame).replaceAll('\b', '').trimEnd().slice(0, MOST_CHARACTERS);
}

/** Without what launchers put before a line: `[rank0]:`, `[1,0]<stdout>:`, `(Worker pid=1, ip=10.0.0.1)`. */
export function withoutPrefix(text: string): string {
  return text.replace(PREFIXES, '');
}

const PREFIXES =
  /^(?:\[(?:default|rank)?\d+(?:,\d+)?\](?:<std(?:out|err)>)?: ?|\(\w+(?: pid=\d+)?(?:, ip=[\d.]+)?\) )+/;

export const asLine = (text: string): Line => ({ text, lower: text.toLowerCase() });
