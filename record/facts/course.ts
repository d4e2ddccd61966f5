import { isFinal } from '../../contracts/status.ts';
import type { Cause, LedgerEntry, Phase } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';

/** How a job went so far, as its ledger has it. Times are RFC 3339. */
export interface Course {
  readonly phase: Phase;
  /** Why it ended, or what it waits for. */
  readonly cause?: Partial<Cause>;
  readonly attempts: number;
  /** Of containers in place, and of pods by replacement. */
  readonly restarts: number;
  /** When its pods first ran. */
  readonly ranAt?: string;
  /** When its outcome was decided. */
  readonly endedAt?: string;
}

/** Returns undefined for a ledger without entries. */
export function courseOf(entries: readonly LedgerEntry[]): Course | undefined {
  const last = entries.at(-1);
  if (!last) return undefined;
  // A job may complete after a stop request, while it writes its checkpoint.
  const decision = entries.findLast(({ phase, decided }) => decided && phase === last.phase);
  return {
    ...{ phase: last.phase, attempts: last.attempt },
    restarts: entries.findLast(({ restarts }) => restarts !== undefined)?.restarts ?? 0,
    ...withoutUndefined({
      cause: decision?.decided ?? causeOfLast(entries),
      ranAt: entries.find(({ phase }) => phase === 'Running')?.at,
      endedAt: entries.find(({ phase }) => isFinal(phase))?.at,
    }),
  };
}

/** Returns what the last entries that have the same reason say of it. */
function causeOfLast(entries: readonly LedgerEntry[]): Partial<Cause> | undefined {
  const reason = entries.at(-1)?.reason;
  const present = entries.slice(entries.findLastIndex((entry) => entry.reason !== reason) + 1);
  const [first] = present;
  if (!first || reason === undefined) return undefined;
  const { pod, node, exitCode } = present.flatMap(({ pods = [] }) => pods).at(-1) ?? {};
  const rule = present.findLast((entry) => entry.rule !== undefined)?.rule;
  return withoutUndefined({ reason, message: first.message, rule, pod, node, exitCode });
}
