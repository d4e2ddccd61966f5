import type { LedgerCause, LedgerEntry } from '../../contracts/types.ts';
import type { JobTimes } from './job-times.ts';
import type { NewEntry } from './new-entry.ts';

/** The state from which a ledger continues. Plain JSON: a run of the workflow passes it to the next one. */
export interface LedgerBook {
  /** Number of the next entry. */
  readonly next: number;
  /** What the last entry said; undefined before the first one. */
  readonly last?: LastEntry;
  /** Effects in progress, by type. */
  readonly began: Readonly<Record<string, { readonly seq: number; readonly at: number }>>;
  /** What metrics time. */
  readonly times?: JobTimes;
}

/** Where an entry leaves the job. */
export type LastEntry = Pick<LedgerEntry, 'to' | 'phase' | 'attempt' | 'revision' | 'reason'> & {
  readonly at: number;
};

export const NEW_BOOK: LedgerBook = { next: 1, began: {} };

/** Returns the next entry and the next state. Pure. Times never decrease from entry to entry. */
export function enter(
  book: LedgerBook,
  news: NewEntry,
): { readonly entry: LedgerEntry; readonly book: LedgerBook } {
  const { at: asked, to, attempt, phase, cause, ...others } = news;
  const seq = book.next;
  const at = Math.max(asked, book.last?.at ?? asked);
  const from = book.last?.to;
  const entry: LedgerEntry = {
    seq,
    at: new Date(at).toISOString(),
    attempt,
    ...(from === undefined ? {} : { from }),
    ...{ to, phase },
    cause: withBeginning(book, cause, at),
    ...others,
  };
  const last = lastOf({ ...news, at });
  return { entry, book: { ...book, next: seq + 1, last, began: beganAfter(book, news, { seq, at }) } };
}

const lastOf = ({
  at,
  to,
  phase,
  attempt,
  revision,
  reason,
}: Omit<NewEntry, 'cause' | 'message'>): LastEntry => ({
  ...{ at, to, phase, attempt, revision },
  ...(reason === undefined ? {} : { reason }),
});

/** Says when an effect began, and how long it took if it ended. */
function withBeginning({ began }: LedgerBook, cause: LedgerCause, at: number): LedgerCause {
  const beginning = cause.type === 'effect' ? began[cause.effect] : undefined;
  if (cause.type !== 'effect' || !beginning) return cause;
  const { ended } = cause;
  const ms = at - beginning.at;
  // What admission had done already was not timed.
  return { ...cause, began: beginning.seq, ...(ended === 'refused' || ms === 0 ? {} : { ms }) };
}

function beganAfter(
  { began }: LedgerBook,
  { cause, effects = [] }: NewEntry,
  beginning: { readonly seq: number; readonly at: number },
): LedgerBook['began'] {
  const isOver = (effect: string) =>
    cause.type === 'effect' && cause.ended !== 'refused' && cause.effect === effect;
  const open = Object.entries(began).filter(([effect]) => !isOver(effect));
  return Object.fromEntries([...open, ...effects.map(({ effect }) => [effect, beginning] as const)]);
}
