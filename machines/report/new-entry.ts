import type { Cause, LedgerEntry } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import { shorten } from '../../language/shorten.ts';
import { type Position, phaseOfState } from '../chart/position.ts';
import { ledgerEffects } from '../model/effects.ts';
import { countRestarts, type JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { budgetsOf } from '../restart/failure-budget.ts';
import { reportedAt } from '../timeouts/stall.ts';
import { ledgerCause } from './ledger-cause.ts';
import { concernedNodes, concernedPods, countsByRole, evidenceRefs } from './ledger-facts.ts';
import type { StepFacts } from './step-words.ts';

/** What an entry says, but for what the entries before it decide. */
export type NewEntry = Omit<LedgerEntry, 'seq' | 'at' | 'from'> & { readonly at: number };

/** The name of the effect that every job begins with. */
export const ADMISSION = 'admit';

/** Enough for the words of a scheduler, a kubelet or a person, but not for a pasted log. */
export const ENTRY_LENGTH = 2_000;

/** What an entry takes from the record. */
interface Known {
  /** What happened that people should know. */
  readonly sentences: readonly string[];
  /** When the present state was entered, in epoch milliseconds. */
  readonly since: number;
  /** What the job waits for, or why it ends, and what it was before the step. */
  readonly waitsFor: Cause | undefined;
  readonly waitedFor: Cause | undefined;
}

/** Returns the entry of a step; undefined if nothing changed that the ledger has. */
export function entryOfStep(step: StepFacts, known: Known): NewEntry | undefined {
  const { before, event, after } = step;
  const { sentences, waitsFor, waitedFor } = known;
  const effects = ledgerEffects(step.effects);
  const isDue =
    sentences.length > 0 ||
    effects.length > 0 ||
    hasEntryAlways(event) ||
    waitsFor?.reason !== waitedFor?.reason ||
    isFirstProgress(step, known.since);
  if (!isDue) return undefined;
  const pods = concernedPods(before, event, after);
  const message = sentences.join('; ') || messageOfStep(step, known) || 'the job no longer waits';
  return {
    ...whereabouts(after, waitsFor),
    at: event.at,
    cause: ledgerCause(event),
    message: shorten(message, ENTRY_LENGTH),
    ...withoutUndefined({
      minor: sentences.length === 0 ? (true as const) : undefined,
      rule: decidingRule(before.context, after.context),
      classes: restartedClasses(before.context, after.context),
      devices:
        before.context.revision.number === after.context.revision.number
          ? undefined
          : devicesByRole(after.context),
      decided: newOutcome(before.context, after.context),
      effects: effects.length > 0 ? effects : undefined,
      pods,
      products: event.type === 'effectDone' ? event.products : undefined,
      steps: event.type === 'effectDone' ? event.steps : undefined,
      nodes: concernedNodes(before, pods ?? [], after),
      evidence: evidenceRefs(event),
    }),
  };
}

/** Returns the entry of the machine's beginning: the job is admitted. */
export function entryOfBeginning(
  { after, effects }: Pick<StepFacts, 'after' | 'effects'>,
  { at, message, waitsFor }: { readonly at: number; readonly message: string } & Pick<Known, 'waitsFor'>,
): NewEntry {
  const begun = ledgerEffects(effects);
  return {
    ...whereabouts(after, waitsFor),
    at,
    cause: { type: 'effect', effect: ADMISSION, ended: 'done' },
    message,
    ...withoutUndefined({
      devices: devicesByRole(after.context),
      effects: begun.length > 0 ? begun : undefined,
    }),
  };
}

/** Returns what every entry says of the job. */
function whereabouts(
  position: Position,
  waitsFor: Cause | undefined,
): Omit<NewEntry, 'at' | 'cause' | 'message'> {
  const { state, context } = position;
  const { progress } = context;
  return {
    attempt: context.attempt,
    to: state,
    phase: phaseOfState(position),
    ...withoutUndefined({ reason: waitsFor?.reason }),
    revision: context.revision.number,
    counts: countsByRole(context),
    ...withoutUndefined({
      restarts: countRestarts(context.restarts) || undefined,
      budgets: budgetsOf(context),
      progress: progress && { value: progress.value, at: new Date(reportedAt(progress)).toISOString() },
    }),
  };
}

/** Every request has an entry, and how each effect ended. */
const hasEntryAlways = (event: JobEvent): boolean =>
  event.type === 'effectDone' ||
  event.type === 'effectFailed' ||
  ('cause' in event && event.type !== 'effectRefused');

/**
 * Whether the job reports progress for the first time since it runs: the work between the last report before a restart and
 * the first one after it was done twice.
 */
function isFirstProgress({ before, after }: StepFacts, since: number): boolean {
  const [known, progress] = [before, after].map(({ context }) => context.progress);
  return after.state === 'Running' && progress !== known && (known === undefined || known.at < since);
}

function messageOfStep({ event, after }: StepFacts, { waitsFor, waitedFor }: Known): string | undefined {
  if (event.type === 'effectFailed') return `${event.effect} failed: ${event.cause.message}`;
  if (event.type === 'effectDone') {
    const left = event.stuckPods?.length ?? 0;
    return `${event.effect} done${left > 0 ? `; ${left} deleted pods still exist` : ''}`;
  }
  if ('cause' in event) return event.cause.message;
  if (waitsFor) return waitsFor.message;
  const { value } = after.context.progress ?? {};
  return waitedFor || value === undefined ? undefined : `the first progress since the job runs: ${value}`;
}

/** Returns the rule by which the step ended the job, or restarted its pods. */
function decidingRule(before: JobContext, after: JobContext): string | undefined {
  if (after.outcome) return before.outcome ? undefined : after.outcome.cause?.rule;
  return before.restarting === after.restarting ? undefined : after.restarting?.rule;
}

/** Returns the classes of the failures for which pods restart, if the step decided that. */
function restartedClasses(before: JobContext, after: JobContext): readonly string[] | undefined {
  const { charges, restart } = after.restarting ?? {};
  const classes = Object.keys(charges ?? restart?.charges ?? {});
  return before.restarting === after.restarting || classes.length === 0 ? undefined : classes;
}

function devicesByRole({ plan }: JobContext): LedgerEntry['devices'] {
  const roles = plan.roles.flatMap(({ name, devices }) => (devices ? [[name, devices] as const] : []));
  return roles.length > 0 ? Object.fromEntries(roles) : undefined;
}

/** Returns why the job ends, if the step decides that or learns more of it. */
const newOutcome = ({ outcome: known }: JobContext, { outcome }: JobContext): Cause | undefined =>
  known?.cause === outcome?.cause ? undefined : outcome?.cause;
