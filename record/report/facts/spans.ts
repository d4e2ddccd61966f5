import type { LedgerEntry } from '../../../contracts/ledger.ts';
import type { ReasonCode } from '../../../contracts/reasons.ts';
import { isFinal, type Phase } from '../../../contracts/status.ts';
import { ms } from './time.ts';

/** A time in which a job stayed as it was. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly phase: Phase;
  readonly state: string;
  readonly attempt: number;
  readonly reason?: ReasonCode;
  readonly message: string;
  /** Sequence number of the entry that began it. */
  readonly seq: number;
}

/** Returns what a job was from its first entry until `until`, without what came after its end. */
export function spansOf(entries: readonly LedgerEntry[], until: number): Span[] {
  const spans: Span[] = [];
  for (const [index, entry] of entries.entries()) {
    if (isFinal(entry.phase)) continue;
    const next = entries[index + 1];
    const span = spanOf(entry, next ? ms(next.at) : until);
    const last = spans.at(-1);
    if (last && isSame(last, entry)) spans[spans.length - 1] = extended(last, span);
    else spans.push(span);
  }
  return spans;
}

/** A clock that was set back gives no negative time. */
const spanOf = (entry: LedgerEntry, to: number): Span => ({
  from: ms(entry.at),
  to: Math.max(to, ms(entry.at)),
  phase: entry.phase,
  state: entry.to,
  attempt: entry.attempt,
  reason: entry.reason,
  message: entry.message,
  seq: entry.seq,
});

/** What it waits for is known better later, e.g. by the scheduler's message. */
const extended = (span: Span, { to, reason, message }: Span): Span => ({
  ...span,
  to: Math.max(span.to, to),
  message: reason === undefined ? span.message : message,
});

/** A request, or an effect that ended, changes neither the state nor what the job waits for. */
const isSame = (span: Span, { to, attempt, phase, reason, cause }: LedgerEntry) =>
  span.state === to &&
  span.attempt === attempt &&
  span.phase === phase &&
  (span.reason === reason || reason === undefined || cause.type === 'request' || cause.type === 'effect');

/** Joins what follows each other in the same phase of the same attempt. */
export function phasesOf(spans: readonly Span[]): Span[] {
  const phases: Span[] = [];
  for (const span of spans) {
    const last = phases.at(-1);
    if (last && last.phase === span.phase && last.attempt === span.attempt)
      phases[phases.length - 1] = { ...last, to: span.to };
    else phases.push(span);
  }
  return phases;
}
