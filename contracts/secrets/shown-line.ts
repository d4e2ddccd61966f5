import { stripVTControlCharacters } from 'node:util';
import { shorten } from '../../language/shorten.ts';
import { hideInText } from './hide-in-text.ts';

/** Returns a line of a log as text, without colours, control characters and spaces that only lay it out; empty if it shows nothing. */
export const textOfLine = (line: string): string =>
  stripVTControlCharacters(line)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Returns a line of a log for a place that shows one, without what looks like a secret. */
export const shownLine = (line: string): string => shorten(hideInText(textOfLine(line)), SHOWN_LENGTH);

export const SHOWN_LENGTH = 160;
