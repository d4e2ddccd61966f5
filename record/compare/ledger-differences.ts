import type { LedgerCause, LedgerEntry } from '../../contracts/types.ts';
import { canonicalJson } from '../../language/canonical-json.ts';

/** The first entry in which two ledgers of one job decide otherwise. */
interface LedgerDifference {
  readonly seq: number;
  /** What differs, e.g. `to`; `entry` if one ledger has no such entry. */
  readonly fields: readonly string[];
  readonly recorded?: LedgerEntry;
  readonly replayed?: LedgerEntry;
}

export interface LedgerComparison {
  /** After it, entries follow from other decisions. */
  readonly first?: LedgerDifference;
  /** Entries before it that say the same in other words or with other details. */
  readonly reworded: number;
}

/** Compares a recorded ledger with the one that the present code makes of the same history. */
export function compareLedgers(
  recorded: readonly LedgerEntry[],
  replayed: readonly LedgerEntry[],
): LedgerComparison {
  const [before, after] = [recorded, replayed].map((entries) => entries.filter(isDecision)) as [
    LedgerEntry[],
    LedgerEntry[],
  ];
  let reworded = 0;
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [one, other] = [before[index], after[index]];
    const fields =
      one && other
        ? DECIDING.filter((field) => !isAlike(comparable(one)[field], comparable(other)[field]))
        : ['entry'];
    if (fields.length > 0) {
      const { seq } = (one ?? other)!;
      return {
        first: { seq, fields, ...(one ? { recorded: one } : {}), ...(other ? { replayed: other } : {}) },
        reworded,
      };
    }
    if (!isAlike(comparable(one!), comparable(other!))) reworded += 1;
  }
  return { reworded };
}

/** What Temporal and the watcher did to a closed workflow is not in what its code decides. */
const isDecision = ({ cause }: LedgerEntry) => cause.type !== 'closed';

const DECIDING = [
  'at',
  'attempt',
  'from',
  'to',
  'phase',
  'cause',
  'reason',
  'rule',
  'revision',
  'effects',
] as const;

/** Leaves out the chain, and who asked: servers know that, and no history that is replayed. */
function comparable(entry: LedgerEntry & { readonly prev?: string }): LedgerEntry {
  const { prev: _, ...others } = entry;
  return { ...others, cause: withoutWho(others.cause) };
}

function withoutWho(cause: LedgerCause): LedgerCause {
  if (!('who' in cause)) return cause;
  const { who: _, ...others } = cause;
  return others as LedgerCause;
}

const isAlike = (one: unknown, other: unknown) =>
  canonicalJson({ value: one }) === canonicalJson({ value: other });
