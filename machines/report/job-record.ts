import type { Condition } from '../../contracts/kubernetes.ts';
import type { Cause, EvidenceSummary, TimelineEntry } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import { shorten } from '../../language/shorten.ts';
import { timeOf } from '../../language/time.ts';
import { type Position, phaseOfState } from '../chart/position.ts';
import { failuresAfter, type PastFailure } from '../failures/past-failures.ts';
import type { Effect } from '../model/effects.ts';
import type { JobEvent } from '../model/job-events.ts';
import { noticeNews } from '../nodes/node-notices.ts';
import { type NewCondition, setCondition } from './conditions.ts';
import { type HeldUp, nextHeldUp } from './held-up.ts';
import { createdCondition, newConditions, resumedCondition } from './new-conditions.ts';
import { ENTRY_LENGTH, entryOfBeginning, entryOfStep, type NewEntry } from './new-entry.ts';
import { nextReportedCrash, type ReportedCrash } from './reported-crash.ts';
import { entersState, explainEntry, newsWithinState, type StepFacts } from './step-words.ts';
import { withEntry } from './timeline.ts';
import { waitingCause } from './waiting-cause.ts';

/** What people read about a job. No decision depends on it. */
export interface JobRecord {
  readonly conditions: readonly Condition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  /** The crash that the timeline reported last. */
  readonly crash?: ReportedCrash;
  /** What a scheduler or kubelet said last of why the job waits. */
  readonly heldUp?: HeldUp;
  /** Evidence of failed pods, latest first. */
  readonly evidence?: readonly EvidenceSummary[];
  /** The last failures of which logs say why, the earliest first. */
  readonly failures?: readonly PastFailure[];
  /** What the API server warned of when it created objects of the job, first what it said first. */
  readonly warnings?: readonly string[];
  /** When the present state was entered, in epoch milliseconds, and why. */
  readonly entered: { readonly at: number; readonly why: string };
  readonly timeline: readonly TimelineEntry[];
}

/** What people read about a job after a step, and what the ledger says of the step. */
interface Recorded {
  readonly record: JobRecord;
  /** What the job waits for, or why it ends; undefined if it simply runs. */
  readonly cause: Cause | undefined;
  readonly entry?: NewEntry;
}

/** The evidence store has the rest. */
const EVIDENCE_LENGTH = 20;
const WARNINGS_LENGTH = 20;

type Conditions = readonly Condition[];

/** Opens the record of a job that was admitted. */
export function openRecord(after: Position, effects: readonly Effect[], at: number): Recorded {
  const { references = [] } = after.context.plan;
  const why = `the manifest was accepted${references.length > 0 ? `, with ${references.join(' and ')}` : ''}`;
  const cause = waitingCause(after, why);
  const entry = entryOfBeginning({ after, effects }, { at, message: why, waitsFor: cause });
  const news = [createdCondition(after.context), ...newConditions(after, phaseOfState(after), [])];
  const conditions = withConditions([], news, timeOf(at));
  return { record: { conditions, entered: { at, why }, timeline: withEntry([], entry) }, cause, entry };
}

/** Returns the record after a step, and what the step's entry says. */
export function keepRecord(
  { record: known, cause: waitedFor }: Pick<Recorded, 'record' | 'cause'>,
  step: StepFacts,
): Recorded {
  const { event, after } = step;
  const { crash, news } = nextReportedCrash(known.crash, after.context, event);
  const isEntered = entersState(step);
  const why = isEntered ? explainEntry(step, { ...known, crash: news }) : known.entered.why;
  const entered = isEntered ? { at: event.at, why: shorten(why, ENTRY_LENGTH) } : known.entered;
  const cause = waitingCause(after, entered.why);
  const said = isEntered ? why : (news ?? newsWithinState(step));
  const restored = event.type === 'effectDone' ? event.restored : undefined;
  const hasRunOn = step.before.state === 'Running' && after.state === 'Running';
  const notices = noticeNews(step.before.context, after.context, { hasRunOn });
  const sentences = [said, restored, ...notices].filter((sentence) => sentence !== undefined);
  const entry = entryOfStep(step, { sentences, since: entered.at, waitsFor: cause, waitedFor });
  const record = {
    ...known,
    ...(isEntered ? phaseFacts(known, step) : {}),
    ...{ entered, crash },
    heldUp: nextHeldUp(known.heldUp, after, event),
    evidence: evidenceAfter(known.evidence, event),
    failures: failuresAfter(known.failures, event, step.before.context),
    warnings: warningsAfter(known.warnings, event),
    timeline: entry ? withEntry(known.timeline, entry) : known.timeline,
  };
  return { record: withoutUndefined(record), cause, entry };
}

/** Returns conditions and times after a step to another state. */
function phaseFacts({ conditions, startTime, completionTime }: JobRecord, step: StepFacts) {
  const { before, event, after } = step;
  const at = timeOf(event.at);
  const phase = phaseOfState(after);
  const ended = after.context.outcome !== undefined && !completionTime;
  const isResumed = phaseOfState(before) === 'Suspended' && phase === 'Pending';
  const news = isResumed ? [resumedCondition(after.context)] : newConditions(after, phase, conditions);
  return {
    conditions: withConditions(conditions, news, at),
    // The start time is set when pods exist, and again on resume, when the deadline restarts.
    startTime: (isResumed ? at : startTime) ?? (after.tags.has('withoutPods') || ended ? undefined : at),
    completionTime: completionTime ?? (ended ? at : undefined),
  };
}

function evidenceAfter(known: JobRecord['evidence'] = [], event: JobEvent): JobRecord['evidence'] {
  const taken = event.type === 'effectDone' ? (event.evidence ?? []) : [];
  const uids = new Set(taken.map(({ uid }) => uid));
  const older = known.filter(({ uid }) => !uids.has(uid));
  const evidence = [...taken.toReversed(), ...older].slice(0, EVIDENCE_LENGTH);
  return evidence.length > 0 ? evidence : undefined;
}

function warningsAfter(known: JobRecord['warnings'], event: JobEvent): JobRecord['warnings'] {
  const told = event.type === 'effectDone' ? (event.warnings ?? []) : [];
  return told.length === 0 ? known : [...new Set([...(known ?? []), ...told])].slice(0, WARNINGS_LENGTH);
}

const withConditions = (known: Conditions, news: readonly NewCondition[], at: string): Conditions =>
  news.reduce((conditions, condition) => setCondition(conditions, condition, at), known);
