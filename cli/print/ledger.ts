import { isChosen, type LedgerChoice } from '../../client/ledger-choice.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import { type LedgerSubject, startChain } from '../../record/ledger/chain.ts';
import { type Stay, staysOf } from '../../record/ledger/stays.ts';
import { UsageError } from '../errors.ts';
import { entryText, LEDGER_HEAD, remedyText } from './ledger-text.ts';
import { type Format, formatted, note, write } from './output.ts';

export type LedgerFormat = Format | 'jsonl';

/** Which entries of a ledger are printed, and how. */
export interface ShownLedger extends Pick<LedgerChoice, 'attempt' | 'since'> {
  /** Also what is of little interest. */
  readonly all?: boolean;
  readonly output: LedgerFormat;
}

/** Prints a ledger from its first entry on: the whole of it, or entry by entry as they arrive. */
export async function printLedger(
  entries: readonly LedgerEntry[] | AsyncIterable<LedgerEntry>,
  subject: LedgerSubject,
  view: ShownLedger,
): Promise<void> {
  const { output } = view;
  if (output === 'jsonl') return printLines(entries, subject, view);
  if (Array.isArray(entries) && output !== undefined) {
    return write(
      await formatted(
        entries.filter((entry) => isChosen(entry, view)),
        output,
      ),
    );
  }
  await printText(entries, view);
}

/** A line has the hash of the line before, so all are made, whatever is printed. */
async function printLines(
  entries: Iterable<LedgerEntry> | AsyncIterable<LedgerEntry>,
  subject: LedgerSubject,
  view: ShownLedger,
): Promise<void> {
  const chain = startChain(subject);
  for await (const entry of entries) {
    if (entry.seq !== chain.head().entries + 1) throw new LostEntriesError(entry.seq);
    const line = chain.add(entry);
    if (isChosen(entry, view)) write(line);
  }
}

async function printText(
  entries: readonly LedgerEntry[] | AsyncIterable<LedgerEntry>,
  view: ShownLedger,
): Promise<void> {
  const stays: ReadonlyMap<number, Stay> = Array.isArray(entries) ? staysOf(entries) : new Map();
  let last: LedgerEntry | undefined;
  let hidden = 0;
  for await (const entry of entries) {
    if (!last) noteLost(entry);
    if (!last) write(LEDGER_HEAD);
    last = entry;
    if (!isChosen(entry, view)) continue;
    if (view.all || !isMinor(entry)) write(entryText(entry, stays.get(entry.seq)));
    else hidden += 1;
  }
  const remedy = remedyText(last);
  if (remedy) write(`\n${remedy}`);
  if (hidden > 0) note(`${hidden} entries of effects that ended well are not shown; --all shows them.`);
}

/** An effect that ended well says nothing new: the entry in which it began names it. */
const isMinor = ({ cause, from, to, evidence }: LedgerEntry): boolean =>
  cause.type === 'effect' && cause.ended === 'done' && from === to && !evidence;

/** Retention deletes the first runs of a long job before the others. */
function noteLost({ seq }: LedgerEntry): void {
  if (seq > 1) note(`warning: ${lost(seq)}`);
}

const lost = (seq: number) =>
  `entries 1 to ${seq - 1} are gone: Temporal has deleted the runs in which they were written. --archived reads them from the archive.`;

class LostEntriesError extends UsageError {
  constructor(seq: number) {
    super(`The chain cannot be made: ${lost(seq)}`);
  }
}
