import { withoutUndefined } from '../../contracts/fields.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import type { Cause } from '../../contracts/status.ts';
import type { Position } from '../chart/position.ts';
import { countRestarts, type JobContext } from '../model/job-context.ts';
import type { Effect, JobEvent } from '../model/job-events.ts';
import { budgetsOf } from '../restart/failure-budget.ts';
import { type JobRecord, phaseOfState } from './job-record.ts';
import { ledgerCause } from './ledger-cause.ts';
import { ledgerEffects } from './ledger-effects.ts';
import { concernedNodes, concernedPods, countsByRole, evidenceRefs } from './ledger-facts.ts';
import { presentCause } from './present-cause.ts';

/** A job between two events, as far as the ledger looks at it. */
export interface LedgerView {
  readonly position: Position;
  readonly record: JobRecord;
}

/** One step of the machine. */
export interface ToldStep {
  readonly before: LedgerView;
  readonly event: JobEvent;
  readonly after: LedgerView;
  readonly effects: readonly Effect[];
}

/** What an entry says, but for what the entries before it decide. */
export type LedgerNews = Omit<LedgerEntry, 'seq' | 'at' | 'from'> & { readonly at: number };

/** The name of the effect that every job begins with. */
export const ADMISSION = 'admit';

/** Returns what the ledger says of a step; undefined if nothing changed. Pure. `known`: the reason of the last entry. */
export function newsOfStep(
  { before, event, after, effects }: ToldStep,
  known: LedgerEntry['reason'],
): LedgerNews | undefined {
  const why = presentCause(after.position, after.record);
  const told = toldSince(before.record, after.record);
  const begun = ledgerEffects(effects);
  const isNews =
    told.length > 0 ||
    begun.length > 0 ||
    isTold(event) ||
    before.position.state !== after.position.state ||
    why?.reason !== known;
  if (!isNews) return undefined;
  const pods = concernedPods(before.position, event, after.position);
  return {
    ...newsOfPosition(after.position, why),
    at: event.at,
    cause: ledgerCause(event),
    message: told.join('; ') || wordsOf(event) || why?.message || 'the job no longer waits',
    ...withoutUndefined({
      rule: decidingRule(before.position.context, after.position.context),
      effects: begun.length > 0 ? begun : undefined,
      pods,
      nodes: concernedNodes(before.position, pods ?? [], after.position),
      evidence: evidenceRefs(event),
    }),
  };
}

/** Returns what the ledger says of the machine's beginning: the job is admitted. */
export function newsOfBeginning(
  { after, effects }: Pick<ToldStep, 'after' | 'effects'>,
  at: number,
): LedgerNews {
  const { position, record } = after;
  const begun = ledgerEffects(effects);
  return {
    ...newsOfPosition(position, presentCause(position, record)),
    at,
    cause: { type: 'effect', effect: ADMISSION, ended: 'done' },
    message: record.timeline[0]!.cause,
    ...(begun.length > 0 ? { effects: begun } : {}),
  };
}

/** Returns what every entry says of the job. `why`: what it waits for, or why it ends. */
export function newsOfPosition(
  position: Position,
  why: Cause | undefined,
): Omit<LedgerNews, 'at' | 'cause' | 'message'> {
  const { state, context } = position;
  return {
    attempt: context.attempt,
    to: state,
    phase: phaseOfState(position),
    ...withoutUndefined({ reason: why?.reason }),
    revision: context.revision.number,
    counts: countsByRole(context),
    ...withoutUndefined({
      restarts: countRestarts(context.restarts) || undefined,
      budgets: budgetsOf(context),
    }),
  };
}

/** Whether the ledger has an entry for every event of this type: for each request, and for how each effect ended. */
const isTold = (event: JobEvent): boolean =>
  event.type === 'effectDone' ||
  event.type === 'effectFailed' ||
  ('cause' in event && event.type !== 'effectRefused');

/** Returns what the timeline says of the step. */
function toldSince(before: JobRecord, after: JobRecord): readonly string[] {
  if (before.timeline === after.timeline) return [];
  const last = after.timeline.lastIndexOf(before.timeline.at(-1)!);
  return after.timeline.slice(last + 1).map(({ cause }) => cause);
}

function wordsOf(event: JobEvent): string | undefined {
  if (event.type === 'effectFailed') return `${event.effect} failed: ${event.cause.message}`;
  if (event.type !== 'effectDone') return 'cause' in event ? event.cause.message : undefined;
  const left = event.stuckPods?.length ?? 0;
  return left > 0 ? `${event.effect} done; ${left} deleted pods still exist` : `${event.effect} done`;
}

/** Returns the rule by which the step ended the job, or restarted its pods. */
function decidingRule(before: JobContext, after: JobContext): string | undefined {
  if (after.outcome) return before.outcome ? undefined : after.outcome.cause?.rule;
  return before.restarting === after.restarting ? undefined : after.restarting?.rule;
}
