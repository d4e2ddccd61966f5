import { createHash } from 'node:crypto';
import { LEDGER_SCHEMA, type LedgerEntry } from '../../contracts/ledger.ts';
import { canonicalJson } from './canonical.ts';

/** One job that a ledger is about. Part of what the chain's first hash covers. */
export interface LedgerSubject {
  readonly workflowId: string;
  /** The first run of the workflow's chain of runs. */
  readonly firstRunId: string;
}

/** An entry as a line of a ledger: `prev` is the SHA-256 of the line before, in hex. */
export type ChainedEntry = LedgerEntry & { readonly prev: string };

/** The end of a chain, which proves that nothing was cut off. */
export interface LedgerHead {
  readonly entries: number;
  /** SHA-256 of the last line, in hex; of the subject if there is no entry. */
  readonly hash: string;
}

/** Returns the lines of a ledger, each canonical JSON, and the head of its chain. */
export function chainOf(
  subject: LedgerSubject,
  entries: readonly LedgerEntry[],
): { readonly lines: readonly string[]; readonly head: LedgerHead } {
  let hash = genesisOf(subject);
  const lines = entries.map((entry) => {
    const line = canonicalJson({ ...entry, prev: hash });
    hash = sha256(line);
    return line;
  });
  return { lines, head: { entries: lines.length, hash } };
}

/** The hash that the first entry follows. It names schema and job: a ledger of another job does not fit. */
export const genesisOf = ({ workflowId, firstRunId }: LedgerSubject): string =>
  sha256(canonicalJson({ schema: LEDGER_SCHEMA, workflowId, firstRunId }));

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
