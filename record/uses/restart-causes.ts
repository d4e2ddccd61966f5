import type { LedgerEntry } from '../../contracts/types.ts';
import { ms } from '../facts/times.ts';

/**
 * What made a job stop to run, until it ran again. Times are epoch milliseconds.
 *
 * @public
 */
export interface RestartFact {
  /** Sequence number of the entry with which it began. */
  readonly seq: number;
  readonly at: number;
  readonly attempt: number;
  /** Failure classes; else `request`, `queue`, `container` for a restart in place, or `other`. */
  readonly cause: string;
  readonly message: string;
  readonly node?: string;
  /** When the job ran again; absent if it has not, or has ended. */
  readonly ranAt?: number;
}

/** Returns the restarts of a job in order: each time that it ran, and then did not, without having ended or been suspended. */
export function restartFactsOf(entries: readonly LedgerEntry[]): readonly RestartFact[] {
  const restarts: RestartFact[] = [];
  let begun: LedgerEntry[] | undefined;
  for (const entry of entries) {
    const goesOn = isInterrupted(entry);
    if (begun && goesOn) begun.push(entry);
    else if (begun) {
      restarts.push(factOf(begun, entry.to === RUNNING ? ms(entry.at) : undefined));
      begun = undefined;
    } else if (goesOn && (entry.from === RUNNING || isRestarting(entry))) begun = [entry];
  }
  return begun ? [...restarts, factOf(begun)] : restarts;
}

const RUNNING = 'Running';
const isRestarting = ({ to }: LedgerEntry): boolean => to.startsWith('Restarting.');
const isInterrupted = ({ to }: LedgerEntry): boolean => /^(Restarting|Pending|Starting)\b/.test(to);

function factOf(entries: readonly LedgerEntry[], ranAt?: number): RestartFact {
  const [first] = entries as readonly [LedgerEntry];
  const node = entries.flatMap(({ pods = [] }) => pods).find((pod) => pod.node !== undefined)?.node;
  return {
    ...{ seq: first.seq, at: ms(first.at), attempt: first.attempt, cause: causeOf(entries) },
    message: first.message,
    ...(node === undefined ? {} : { node }),
    ...(ranAt === undefined ? {} : { ranAt }),
  };
}

function causeOf(entries: readonly LedgerEntry[]): string {
  const classes = [...new Set(entries.flatMap((entry) => entry.classes ?? []))].sort();
  if (classes.length > 0) return classes.join('+');
  if (entries.some(({ to }) => to === 'Restarting.Evicted' || to === 'Restarting.Checkpointing'))
    return 'queue';
  if (entries.some(({ cause }) => cause.type === 'request' && !cause.refused)) return 'request';
  const [first] = entries;
  return first && !isRestarting(first) && (first.pods?.length ?? 0) > 0 ? 'container' : 'other';
}
