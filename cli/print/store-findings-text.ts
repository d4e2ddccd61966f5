import { countText } from '../../language/count-text.ts';
import { CHECKPOINT_KEY, NEWEST_KEY } from '../../record/log/log-keys.ts';
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

/**
 * Returns what else may have happened if there is only more than the log covers, as in a copy that was made while jobs were archived.
 * What is gone, or has other bytes, is never explained by that.
 */
export function copyText(findings: readonly StoreFinding[]): readonly string[] {
  const isMore = ({ kind, key }: StoreFinding) =>
    kind === 'unlogged' || (kind === 'changed' && (key === CHECKPOINT_KEY || key === NEWEST_KEY));
  if (findings.length === 0 || !findings.every(isMore)) return [];
  return [OF_SEVERAL_MOMENTS];
}

const OF_SEVERAL_MOMENTS =
  'There is more here than the log covers, and all that it covers is unchanged. If this is a copy that was made while jobs were archived, its files are of different moments: verify the original, and copy the log first (docs/operating.md#back-up-and-restore).';

/** How many findings there are. */
export const findingsText = (count: number): string =>
  count === 0 ? 'no findings' : countText(count, 'finding');

function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
