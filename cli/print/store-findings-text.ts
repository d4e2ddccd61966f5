import { countText } from '../../language/count-text.ts';
import type { StoreFinding } from '../../record/verify/verification.ts';
import type { DeletedArchive, VerifiedStore } from '../../record/verify/verify-store.ts';
import { colours } from './output.ts';

const KINDS: Readonly<Record<StoreFinding['kind'], (text: string) => string>> = {
  changed: colours.red,
  missing: colours.red,
  unlogged: colours.yellow,
  signature: colours.red,
  contradiction: colours.red,
};

/** Formats a finding as a line. */
export const storeFindingText = ({ kind, key, expected, found }: StoreFinding): string =>
  `${KINDS[kind](kind.padEnd('contradiction'.length))}  ${key}: expected ${expected}; found ${found}`;

/** Formats what was deleted on purpose as a line; it is no finding. */
export const deletedText = ({ folder, workflowId, leaf, by, at, why }: DeletedArchive): string =>
  `${'deleted'.padEnd('contradiction'.length)}  ${oneLine(
    `${folder}: ${workflowId}, leaf ${leaf} of the log, by ${by} at ${at}: ${why}`,
  )}`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Says what was verified, and how many findings there are. */
export function verifiedText(verified: VerifiedStore, findings: number): string {
  const { archives, files, bytes, checkpoints, newest, runs, deleted } = verified;
  const size = `${countText(archives, 'archive')}, ${countText(files, 'file')} (${sizeOf(bytes)}), ${countText(checkpoints, 'checkpoint')}`;
  const lines = [`${size}: ${findingsText(findings)}`];
  if (newest)
    lines.push(
      `The newest checkpoint has ${countText(newest.size, 'leaf', 'leaves')} and the root ${newest.root.toString('base64')}.`,
    );
  if (deleted.length > 0) lines.push(`Deleted on purpose: ${countText(deleted.length, 'archive')}.`);
  if (runs > 0)
    lines.push(
      `Not verified: ${countText(runs, 'run')} of jobs that have not ended; no leaf covers them yet.`,
    );
  return lines.join('\n');
}

/** How many findings there are. */
export const findingsText = (count: number): string =>
  count === 0 ? 'no findings' : countText(count, 'finding');

function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
