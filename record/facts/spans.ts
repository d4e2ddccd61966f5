import type { ReasonCode } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry, Phase } from '../../contracts/types.ts';
import { type Interval, intervalsOf } from './intervals.ts';

/** A time in which a job stayed as it was. */
export interface Span extends Pick<Interval, 'from' | 'to'> {
  readonly phase: Phase;
  readonly state: string;
  readonly attempt: number;
  readonly reason?: ReasonCode;
  readonly message: string;
  /** Sequence number of the entry that began it. */
  readonly seq: number;
}

/** Returns what a job was from its first entry until `until`, without what came after its end. */
export const spansOf = (entries: readonly LedgerEntry[], until: number): Span[] =>
  intervalsOf(entries, until, isStillSo)
    .map(spanOf)
    .filter(({ phase }) => !isFinal(phase));

function spanOf({ from, to, entries }: Interval): Span {
  const [{ phase, to: state, attempt, reason, seq }, ...later] = entries;
  // What it waits for is known better later, e.g. by the scheduler's message.
  const { message } = later.findLast((entry) => entry.reason !== undefined) ?? entries[0];
  return { from, to, phase, state, attempt, reason, message, seq };
}

/** A request, or an effect that ended, changes neither the state nor what the job waits for. */
const isStillSo = ({ to, attempt, phase, reason, cause }: LedgerEntry, begun: LedgerEntry): boolean =>
  begun.to === to &&
  begun.attempt === attempt &&
  begun.phase === phase &&
  (begun.reason === reason || reason === undefined || cause.type === 'request' || cause.type === 'effect');

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
