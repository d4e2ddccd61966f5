import { randomUUID } from 'node:crypto';
import { createColors } from 'picocolors';
import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { visible } from '../../language/visible-text.ts';

/** ESC in what this program itself writes. Each process has another mark, so that no text of others can have it. */
const OWN_ESCAPE = `\u001b${randomUUID()}`;

/** Marks the control sequences in a text as our own: `terminalText` lets them through. */
export const ownSequences = (text: string): string => text.replaceAll('\u001b', OWN_ESCAPE);

/**
 * Returns a text as people may see it: control characters are visible, but for our own sequences, and what looks like a
 * secret is hidden. Names, messages and reasons come from anywhere.
 */
export const terminalText = (text: string): string =>
  text
    .split(OWN_ESCAPE)
    .map((part) => visible(hideInText(part)))
    .join('\u001b');

/** Returns functions that colour a text, which is made visible first; without colours, they return it as it is. */
export function coloursIf(areWanted: boolean) {
  const painter = createColors(areWanted);
  const paint = (colour: (text: string) => string) => (text: string) =>
    areWanted ? ownSequences(colour(terminalText(text))) : text;
  return {
    bold: paint(painter.bold),
    dim: paint(painter.dim),
    red: paint(painter.red),
    green: paint(painter.green),
    yellow: paint(painter.yellow),
    cyan: paint(painter.cyan),
  };
}
