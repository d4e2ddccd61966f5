import { wrapped } from '../print/fit-text.ts';
import type { TopPage, TopState } from './top-state.ts';

/** What of the screen is for what. */

const HEAD_LINES = 4;

/** How many jobs are shown at once. */
export const roomForJobs = ({ size: { rows } }: Pick<TopState, 'size'>): number => {
  // The headings, and the last line of the screen.
  const left = rows - 2;
  return Math.max(1, left > 2 * HEAD_LINES ? left - HEAD_LINES : left);
};

/** The title, and the last line of the screen. */
export const roomForPage = ({ size: { rows } }: Pick<TopState, 'size'>): number => Math.max(1, rows - 2);

/** Returns the lines of a page as the screen breaks them. */
export const shownLines = ({ lines }: TopPage, { size }: Pick<TopState, 'size'>): readonly string[] =>
  lines.flatMap((line) => wrapped(line, Math.max(1, size.columns)));
