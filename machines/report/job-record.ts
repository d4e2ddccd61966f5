import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { Condition } from '../../contracts/kubernetes.ts';
import { shorten } from '../../contracts/shorten.ts';
import type { Cause, FinalPhase, Phase, TimelineEntry } from '../../contracts/status.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { Position } from '../chart/position.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { countMissing, digestOf } from '../model/role-counts.ts';
import { timeOf } from '../model/time.ts';
import { setCondition } from './conditions.ts';
import { explain } from './explain.ts';
import { nextReportedCrash, type ReportedCrash, withCrash } from './reported-crash.ts';

/** What people read about a job. No decision depends on it. */
export interface JobRecord {
  readonly conditions: readonly Condition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  /** The crash that the timeline reported last. */
  readonly crash?: ReportedCrash;
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

type NewCondition = Omit<Condition, 'lastTransitionTime'>;
type Conditions = readonly Condition[];

export function openRecord(position: Position, at: number): JobRecord {
  const { kind, name, messages } = position.context.plan;
  const message = messages.created ?? `${kind} ${name} is created.`;
  const created = { type: 'Created', status: 'True', reason: `${kind}Created`, message } as const;
  const news = [created, ...conditionsAt(position, phaseOfState(position), [])];
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
  const { record, crash } = nextReportedCrash(withEvidence(given, event), position.context, event);
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
  const news = isResumed ? [resumedCondition(position.context)] : conditionsAt(position, phase, conditions);
  return {
    conditions: withConditions(conditions, news, at),
    // The start time is set when pods exist, and again on resume, when the deadline restarts.
    startTime:
      (isResumed ? at : record.startTime) ?? (position.tags.has('withoutPods') || ended ? undefined : at),
    completionTime: record.completionTime ?? (ended ? at : undefined),
    ...(evidence ? { evidence } : {}),
    ...(record.crash ? { crash: record.crash } : {}),
    timeline: withEntry(record, entryOf(position, withCrash(explain(position, event), crash), event.at)),
  };
}

function withEvidence(record: JobRecord, event: JobEvent): JobRecord {
  const taken = event.type === 'effectDone' ? (event.evidence ?? []) : [];
  if (taken.length === 0) return record;
  const uids = new Set(taken.map(({ uid }) => uid));
  const older = (record.evidence ?? []).filter(({ uid }) => !uids.has(uid));
  return { ...record, evidence: [...taken.toReversed(), ...older].slice(0, EVIDENCE_LENGTH) };
}

/** Records that somebody changed the job on the anchor. */
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

const wordsOf = ({ type, cause }: JobEvent & { readonly cause: Cause }) =>
  type === 'effectRefused' ? `${cause.reason}: ${cause.message}; waiting, and trying again` : cause.message;

/** Records a clean-up refusal once per reason. */
function withRefusal(record: JobRecord, position: Position, { at }: JobEvent): JobRecord {
  const { refusedCleanUp } = position.context;
  const entry = refusedCleanUp && entryOf(position, `the clean-up is refused: ${refusedCleanUp.message}`, at);
  if (!entry || record.timeline.at(-1)?.cause === entry.cause) return record;
  return { ...record, timeline: withEntry(record, entry) };
}

const withEntry = ({ timeline }: JobRecord, entry: TimelineEntry) =>
  [...timeline, entry].slice(-TIMELINE_LENGTH);

const withConditions = (known: Conditions, news: readonly NewCondition[], at: string): Conditions =>
  news.reduce((conditions, condition) => setCondition(conditions, condition, at), known);

/** During clean-up this is already the outcome. */
export function phaseOfState({ state, context }: Position): Phase {
  return context.outcome?.phase ?? (state.split('.')[0] as Phase);
}

function entryOf(position: Position, cause: string, at: number): TimelineEntry {
  const { state, context } = position;
  const said = shorten(cause, CAUSE_LENGTH);
  return { at: timeOf(at), phase: phaseOfState(position), state, attempt: context.attempt, cause: said };
}

/** Returns the Kubeflow conditions that become true in a phase, with Kubeflow's reasons and messages. */
function conditionsAt(position: Position, phase: Phase, known: Conditions): NewCondition[] {
  const { state, context } = position;
  const { kind, messages } = context.plan;
  switch (phase) {
    case 'Running':
      return [{ type: 'Running', status: 'True', reason: `${kind}Running`, message: messages.running }];
    case 'Restarting': {
      const message = restartingMessage(context);
      return [{ type: 'Restarting', status: 'True', reason: `${kind}Restarting`, message }];
    }
    case 'Suspended':
      return state === 'Suspended.Draining' ? suspendedConditions(context, known) : [];
    case 'Completed':
    case 'Failed':
    case 'Stopped':
      return isDecided(position) ? [finalCondition(context, phase)] : [];
    default:
      return [];
  }
}

/** A job that is being stopped still runs while it writes its checkpoint. */
const isDecided = ({ state, tags }: Position) => tags.has('ending') && state !== 'Finishing.Checkpointing';

/**
 * mpi-operator always sets Running to False, after Suspended; training-operator only if the job ran, before Suspended.
 */
function suspendedConditions({ plan }: JobContext, known: Conditions): NewCondition[] {
  const { kind, name, messages } = plan;
  const message = messages.suspended ?? `${kind} ${name} is suspended.`;
  const reason = `${kind}Suspended`;
  const suspended = { type: 'Suspended', status: 'True', reason, message } as const;
  const notRunning = {
    type: 'Running',
    status: 'False',
    reason,
    message: messages.notRunning ?? message,
  } as const;
  if (messages.notRunning) return [suspended, notRunning];
  const ran = known.some(({ type, status }) => type === 'Running' && status === 'True');
  return ran ? [notRunning, suspended] : [suspended];
}

function resumedCondition({ plan: { kind, name, messages } }: JobContext): NewCondition {
  const message = messages.resumed ?? `${kind} ${name} is resumed.`;
  return { type: 'Suspended', status: 'False', reason: `${kind}Resumed`, message };
}

function finalCondition(context: JobContext, phase: FinalPhase): NewCondition {
  const { kind, name, messages } = context.plan;
  if (phase === 'Completed') {
    return { type: 'Succeeded', status: 'True', reason: `${kind}Succeeded`, message: messages.succeeded };
  }
  if (phase === 'Stopped') {
    return {
      type: 'Running',
      status: 'False',
      reason: `${kind}Stopped`,
      message: `${kind} ${name} is stopped.`,
    };
  }
  const { reason = `${kind}Failed`, message } = failureWords(context);
  return { type: 'Failed', status: 'True', reason, message };
}

interface FailureWords {
  readonly reason?: string;
  readonly message: string;
}

/** Returns the kind's own message for a failure if it has one, with the number and the role of the failed pods. */
function failureWords(context: JobContext): FailureWords {
  const cause = context.outcome?.cause;
  const words = cause && context.plan.messages.failed?.[cause.reason];
  if (!words) return { message: failureMessage(context) };
  return { ...words, message: filledIn(words.message, failedRole(context)) };
}

const filledIn = (message: string, { role, count }: { readonly role: string; readonly count: number }) =>
  message.replace('%n', String(count)).replace('%r', role);

/** Returns the role of the deciding pod, and how many of its pods have failed. */
function failedRole(context: JobContext) {
  const { digest, outcome } = context;
  const failed = digest?.failures.find(({ pod }) => pod === outcome?.cause?.pod);
  const role = failed?.role ?? '';
  return { role: titleOf(context, role), count: digest?.roles[role]?.failed ?? 1 };
}

/** Returns training-operator's message, if it has one. */
function failureMessage(context: JobContext): string {
  const { kind, name } = context.plan;
  const cause = context.outcome?.cause;
  const { role, count } = failedRole(context);
  switch (cause?.reason) {
    case 'PodFailed':
      return `${kind} ${name} is failed because ${count} ${role} replica(s) failed.`;
    case 'PermanentExitCode':
      return `job "${name}" is failing because "${role}" replica(s) failed.`;
    case 'BackoffLimitExceeded':
      return `Job ${name} has failed because it has reached the specified backoff limit`;
    case 'DeadlineExceeded':
      return `Job ${name} has failed because it was active longer than specified deadline`;
    default:
      return cause?.message ?? `${kind} ${name} is failed.`;
  }
}

function restartingMessage(context: JobContext): string {
  const { name, roles, successRoles, messages } = context.plan;
  const { trouble, restarting, amended } = context;
  if (trouble) return `job ${name} is restarting: ${trouble.message}`;
  if (amended && restarting) return `job ${name} is restarting: ${restarting.why}`;
  const broken = brokenRole(context);
  const isActive = (role: PlannedRole) => {
    const { scheduled, ready } = digestOf(context, role);
    return successRoles.includes(role.name) && scheduled + ready > 0;
  };
  const { message, whileActive } = messages.restarting ?? {};
  if (!message || (whileActive && !roles.some(isActive))) {
    return `job ${name} is restarting because ${broken.name} replica(s) failed.`;
  }
  const count = digestOf(context, broken).failed || countMissing(context, broken);
  return filledIn(message, { role: broken.name, count });
}

function brokenRole(context: JobContext): PlannedRole {
  const { digest, plan } = context;
  const failed = digest?.failures[0]?.role.toLowerCase();
  const found = plan.roles.find(({ name }) => name.toLowerCase() === failed);
  return found ?? plan.roles.find((role) => countMissing(context, role) > 0) ?? plan.roles[0]!;
}

const titleOf = ({ plan }: JobContext, role: string) =>
  plan.roles.find(({ name }) => name.toLowerCase() === role.toLowerCase())?.name ?? role;
