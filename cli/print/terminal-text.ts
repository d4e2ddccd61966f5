import { createColors } from 'picocolors';
import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { visible } from '../../language/visible-text.ts';

/**
 * ESC in what this program itself writes. Each process has another mark, so that no text of others can have it. Made when it
 * is needed, as Node loads its cryptography with it: without colours, it is not.
 */
let ownEscape: string | undefined;

/** Marks the control sequences in a text as our own: `terminalText` lets them through. */
export function ownSequences(text: string): string {
  ownEscape ??= `\u001b${crypto.randomUUID()}`;
  return text.replaceAll('\u001b', ownEscape);
}

/**
 * Returns a text as people may see it: control characters are visible, but for our own sequences, and what looks like a
 * secret is hidden. Names, messages and reasons come from anywhere.
 */
export const terminalText = (text: string): string =>
  (ownEscape === undefined ? [text] : text.split(ownEscape))
    .map((part) => visible(hideInText(part)))
    .join('\u001b');

/** Returns functions that colour a text, which is made visible first; without colours, they return it as it is. */
export function coloursIf(areWanted: boolean) {
  const painter = createColors(areWanted);
  const paint = (colour: (text: string) => string) => (text: string) =>
    areWanted ? ownSequences(colour(terminalText(text))) : text;
  return {
    bold: paint(painter.bold),
    inverse: paint(painter.inverse),
    dim: paint(painter.dim),
    red: paint(painter.red),
    green: paint(painter.green),
    yellow: paint(painter.yellow),
    cyan: paint(painter.cyan),
  };
}
