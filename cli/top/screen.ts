/** Writes frames to a terminal: what has changed, in one go. */

const ESCAPE = '\u001b';
/** The other screen, which leaves what was there before; no cursor; lines that are too long are cut, not broken. */
const OPEN = `${ESCAPE}[?1049h${ESCAPE}[?25l${ESCAPE}[?7l${ESCAPE}[2J`;
const CLOSE = `${ESCAPE}[0m${ESCAPE}[?7h${ESCAPE}[?25h${ESCAPE}[?1049l`;
/** Terminals that know this show all of it at once; others ignore it. */
const TOGETHER = [`${ESCAPE}[?2026h`, `${ESCAPE}[?2026l`] as const;

export const SCREEN = { open: OPEN, close: CLOSE } as const;

/**
 * Returns what turns the lines of one frame into those of the next; nothing if they are equal. Without `before`, the screen
 * may show anything.
 */
export function differences(before: readonly string[] | undefined, lines: readonly string[]): string {
  const changed = lines.flatMap((line, row) =>
    before?.[row] === line ? [] : [`${ESCAPE}[${row + 1};1H${line}${ESCAPE}[0m${ESCAPE}[K`],
  );
  if (before && changed.length === 0) return '';
  return `${TOGETHER[0]}${before ? '' : `${ESCAPE}[2J`}${changed.join('')}${TOGETHER[1]}`;
}
