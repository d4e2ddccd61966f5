import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { Condition } from '../../contracts/kubernetes.ts';
import { shorten } from '../../contracts/shorten.ts';
import { entryOfState, type Phase, type TimelineEntry } from '../../contracts/status.ts';
import type { Position, TopState } from '../chart/position.ts';
import type { JobEvent } from '../model/job-events.ts';
import { timeOf } from '../model/time.ts';
import { type NewCondition, setCondition } from './conditions.ts';
import { explain } from './explain.ts';
import { type HeldUp, nextHeldUp, withWait } from './held-up.ts';
import { createdCondition, newConditions, resumedCondition } from './new-conditions.ts';
import { withoutRepetition } from './repetition.ts';
import { nextReportedCrash, type ReportedCrash, withCrash } from './reported-crash.ts';

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
  readonly timeline: readonly TimelineEntry[];
}

/** Older entries are dropped; the workflow's history has them all. */
const TIMELINE_LENGTH = 100;
/** Enough for an entry by a scheduler, a kubelet or a person, but not for a pasted log. */
const CAUSE_LENGTH = 2_000;
/** The evidence store has the rest. */
const EVIDENCE_LENGTH = 20;

type Conditions = readonly Condition[];

export function openRecord(position: Position, at: number): JobRecord {
  const news = [createdCondition(position.context), ...newConditions(position, phaseOfState(position), [])];
  return {
    conditions: withConditions([], news, timeOf(at)),
    timeline: [entryOf(position, 'the manifest was accepted', at)],
  };
}

/** Returns the record after an event; the same record if the state did not change and there is nothing to report. */
export function keepRecord(given: JobRecord, position: Position, event: JobEvent): JobRecord {
  return withRestoration(keepTransition(given, position, event), position, event);
}

function keepTransition(given: JobRecord, position: Position, event: JobEvent): JobRecord {
  const heldUp = nextHeldUp(given.heldUp, position, event);
  const noted = withEvidence(heldUp === given.heldUp ? given : { ...given, heldUp }, event);
  const { record, crash } = nextReportedCrash(noted, position.context, event);
  const last = record.timeline.at(-1)!;
  const phase = phaseOfState(position);
  const isSameAttempt = last.attempt === position.context.attempt;
  if (last.state === position.state && isSameAttempt) {
    if (crash) return { ...record, timeline: withEntry(record, entryOf(position, crash, event.at)) };
    return withIntervention(record, position, event);
  }
  const at = timeOf(event.at);
  const ended = position.context.outcome !== undefined && !record.completionTime;
  const isResumed = last.phase === 'Suspended' && phase === 'Pending';
  const { conditions, evidence } = record;
  const explained = withoutRepetition(explain(position, event), record.timeline);
  const why = withCrash(explained, crash);
  const news = isResumed ? [resumedCondition(position.context)] : newConditions(position, phase, conditions);
  return {
    conditions: withConditions(conditions, news, at),
    // The start time is set when pods exist, and again on resume, when the deadline restarts.
    startTime:
      (isResumed ? at : record.startTime) ?? (position.tags.has('withoutPods') || ended ? undefined : at),
    completionTime: record.completionTime ?? (ended ? at : undefined),
    ...(evidence ? { evidence } : {}),
    ...(record.crash ? { crash: record.crash } : {}),
    ...(heldUp ? { heldUp } : {}),
    timeline: withEntry(record, entryOf(position, withWait(why, given.heldUp, event.at), event.at)),
  };
}

function withEvidence(record: JobRecord, event: JobEvent): JobRecord {
  const taken = event.type === 'effectDone' ? (event.evidence ?? []) : [];
  if (taken.length === 0) return record;
  const uids = new Set(taken.map(({ uid }) => uid));
  const older = (record.evidence ?? []).filter(({ uid }) => !uids.has(uid));
  return { ...record, evidence: [...taken.toReversed(), ...older].slice(0, EVIDENCE_LENGTH) };
}

/** Records that somebody changed the job on the anchor, or labels of its objects. */
const withRestoration = (record: JobRecord, position: Position, event: JobEvent): JobRecord =>
  event.type === 'effectDone' && event.restored
    ? { ...record, timeline: withEntry(record, entryOf(position, event.restored, event.at)) }
    : record;

/** Records who requested what and why, even if the state does not change. */
function withIntervention(record: JobRecord, position: Position, event: JobEvent): JobRecord {
  const isOfCleanUp = event.type === 'effectDone' || event.type === 'effectFailed';
  if (isOfCleanUp && event.effect === 'cleanUp') return withRefusal(record, position, event);
  if (!('cause' in event)) return record;
  if (event.type === 'effectFailed') return record;
  return { ...record, timeline: withEntry(record, entryOf(position, wordsOf(event), event.at)) };
}

const wordsOf = ({ type, cause }: Extract<JobEvent, { readonly cause: object }>) =>
  type === 'effectRefused' ? `${cause.reason}: ${cause.message}; retrying` : cause.message;

/** Records a clean-up refusal once per reason. */
function withRefusal(record: JobRecord, position: Position, { at }: JobEvent): JobRecord {
  const { refusedCleanUp } = position.context;
  const entry = refusedCleanUp && entryOf(position, `the clean-up is refused: ${refusedCleanUp.message}`, at);
  if (!entry || record.timeline.at(-1)?.cause === entry.cause) return record;
  return { ...record, timeline: withEntry(record, entry) };
}

const withEntry = ({ timeline }: JobRecord, entry: TimelineEntry) => shortened([...timeline, entry]);

/** Always keeps the entry with which the present state began: it says why. */
function shortened(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  if (timeline.length <= TIMELINE_LENGTH) return timeline;
  const entered = entryOfState(timeline);
  const latest = timeline.slice(-TIMELINE_LENGTH);
  return entered < timeline.length - TIMELINE_LENGTH ? [timeline[entered]!, ...latest.slice(1)] : latest;
}

const withConditions = (known: Conditions, news: readonly NewCondition[], at: string): Conditions =>
  news.reduce((conditions, condition) => setCondition(conditions, condition, at), known);

/** During clean-up this is already the outcome. */
export function phaseOfState({ state, context }: Position): Phase {
  return context.outcome?.phase ?? (state.split('.')[0] as Exclude<TopState, 'Finishing'>);
}

function entryOf(position: Position, cause: string, at: number): TimelineEntry {
  const { state, context } = position;
  const said = shorten(cause, CAUSE_LENGTH);
  return { at: timeOf(at), phase: phaseOfState(position), state, attempt: context.attempt, cause: said };
}
