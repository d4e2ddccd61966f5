import { createHash } from 'node:crypto';
import { LEDGER_SCHEMA } from '../../contracts/ledger.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { canonicalJson } from '../../language/canonical-json.ts';

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

/** A chain that grows by an entry at a time. */
interface LedgerChain {
  /** Returns the line of the next entry. */
  add(entry: LedgerEntry): string;
  head(): LedgerHead;
}

export function startChain(subject: LedgerSubject): LedgerChain {
  let head: LedgerHead = { entries: 0, hash: genesisOf(subject) };
  return {
    add(entry) {
      const line = canonicalJson({ ...entry, prev: head.hash });
      head = { entries: head.entries + 1, hash: sha256(line) };
      return line;
    },
    head: () => head,
  };
}

/** Returns the lines of a ledger, each canonical JSON, and the head of its chain. */
export function chainOf(
  subject: LedgerSubject,
  entries: readonly LedgerEntry[],
): { readonly lines: readonly string[]; readonly head: LedgerHead } {
  const chain = startChain(subject);
  const lines = entries.map((entry) => chain.add(entry));
  return { lines, head: chain.head() };
}

/** The hash that the first entry follows. It names schema and job: a ledger of another job does not fit. */
export const genesisOf = ({ workflowId, firstRunId }: LedgerSubject): string =>
  sha256(canonicalJson({ schema: LEDGER_SCHEMA, workflowId, firstRunId }));

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
