import { isChosen, type LedgerChoice } from '../../client/use-cases/observe/ledger-choice.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Cause, LedgerEntry } from '../../contracts/types.ts';
import { formatDuration } from '../../language/duration.ts';
import { intervalsOf, staysInState } from '../../record/facts/intervals.ts';
import { type LedgerSubject, startChain } from '../../record/ledger/chain.ts';
import { UsageError } from '../shell/errors.ts';
import { entryText, LEDGER_HEAD, remedyText } from './ledger-text.ts';
import { type Format, formatted, note, write, writeData } from './output.ts';

export type LedgerFormat = Format | 'jsonl';

/** Which entries of a ledger are printed, and how. */
export interface ShownLedger extends Pick<LedgerChoice, 'attempt' | 'since'> {
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
    const chosen = entries.filter((entry) => isChosen(entry, view));
    return writeData(await formatted(chosen, output), output);
  }
  await printText(entries, subject, view);
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
    if (isChosen(entry, view)) writeData(line, 'jsonl');
  }
}

async function printText(
  entries: readonly LedgerEntry[] | AsyncIterable<LedgerEntry>,
  { workflowId }: LedgerSubject,
  view: ShownLedger,
): Promise<void> {
  const stays: ReadonlyMap<number, string> = Array.isArray(entries) ? stayTexts(entries) : new Map();
  let last: LedgerEntry | undefined;
  let before: LedgerEntry | undefined;
  let decided: Cause | undefined;
  for await (const entry of entries) {
    if (!last) noteLost(entry);
    if (!last) write(LEDGER_HEAD);
    last = entry;
    decided = entry.decided ?? decided;
    if (!isChosen(entry, view)) continue;
    write(entryText(entry, { stay: stays.get(entry.seq), before }));
    before = entry;
  }
  const remedy = remedyText(workflowId, last, decided);
  if (remedy) write(`\n${remedy}`);
}

/** Returns how long the job stayed in the state that an entry leads to, by sequence number; nothing for its end. */
function stayTexts(entries: readonly LedgerEntry[]): ReadonlyMap<number, string> {
  const stays = intervalsOf(entries, Date.now(), staysInState);
  const last = stays.at(-1);
  const texts = stays.map((stay) => {
    const [{ seq, phase }] = stay.entries;
    return [seq, stay === last && isFinal(phase) ? '' : formatDuration(stay.to - stay.from)] as const;
  });
  return new Map(texts);
}

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
