import { canonicalJson } from '../../language/canonical-json.ts';
import type { ChainedEntry, LedgerHead, LedgerSubject } from './chain.ts';
import { genesisOf, sha256 } from './chain.ts';

/** What is wrong with a line of a ledger, or with all of it. */
interface ChainFault {
  /** From 1; undefined for the ledger as a whole. */
  readonly line?: number;
  readonly expected: string;
  readonly found: string;
}

/**
 * Checks the text of a ledger as it was read: each line is canonical JSON, follows the line before and has the next sequence
 * number, and the chain ends in its head. Returns all faults. After a broken link the check goes on with the line as it is.
 */
export function chainFaults(text: string, subject: LedgerSubject, head: LedgerHead): ChainFault[] {
  const faults: ChainFault[] = [];
  const lines = text.split('\n');
  if (lines.pop() !== '') faults.push({ expected: 'a line feed at the end', found: 'none' });
  let hash = genesisOf(subject);
  for (const [index, line] of lines.entries()) {
    for (const { expected, found } of lineFaults(line, hash, index + 1)) {
      faults.push({ line: index + 1, expected, found });
    }
    hash = sha256(line);
  }
  if (lines.length !== head.entries) {
    faults.push({ expected: `${head.entries} entries`, found: `${lines.length}` });
  }
  if (hash !== head.hash) faults.push({ expected: `a last line with the SHA-256 ${head.hash}`, found: hash });
  return faults;
}

function lineFaults(line: string, prev: string, seq: number): Omit<ChainFault, 'line'>[] {
  const entry = entryOf(line);
  if (!entry) return [{ expected: 'an entry in canonical JSON', found: JSON.stringify(line.slice(0, 60)) }];
  const faults: Omit<ChainFault, 'line'>[] = [];
  if (entry.prev !== prev) {
    faults.push({ expected: `prev ${prev}, the hash of the line before`, found: JSON.stringify(entry.prev) });
  }
  if (entry.seq !== seq) faults.push({ expected: `entry ${seq}`, found: `entry ${entry.seq}` });
  return faults;
}

function entryOf(line: string): Partial<ChainedEntry> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    return canonicalJson(value) === line ? value : undefined;
  } catch {
    return undefined;
  }
}
