import type { Payload } from '@temporalio/common';
import { searchAttributePayloadConverter } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import { DIGEST_SIGNAL, INVALID_MANIFEST } from '../../contracts/messages.ts';
import { isReasonCode, type ReasonCode } from '../../contracts/reasons.ts';
import { ATTRIBUTE_NAMES } from '../../contracts/search-attribute-names.ts';
import { PHASES } from '../../contracts/status.ts';
import type { Cause, JobStatus, Phase } from '../../contracts/types.ts';
import { isFields } from '../../language/fields.ts';
import { isOneOf } from '../../language/one-of.ts';
import { timeOfEvent } from '../../temporal/event-time.ts';
import type { RunEvent } from '../../temporal/run-chain.ts';

/** What one event of a history says of its job's state. What it does not say is undefined; what is gone is null. */
export interface JobFact {
  /** `RUN/EVENT`. */
  readonly key: string;
  readonly at: string;
  readonly phase?: Phase;
  readonly reason?: ReasonCode | null;
  readonly attempt?: number;
  /** Since when the program makes no steps, in a sentence. */
  readonly noSteps?: string | null;
  /** Why the job is in this phase: of an event that was written with it, or after it. */
  readonly cause?: { readonly of: Phase; readonly cause: Cause };
  /** How much of its restarts the job has used, as far as any are limited. */
  readonly budget?: UsedBudget;
  /** Mail address of the owner. */
  readonly owner?: string | null;
  /** The job begins with it. */
  readonly isFirst?: boolean;
  /** Only if nothing before has ended the job. */
  readonly isClose?: boolean;
}

/** The budget of restarts of which most is used. */
export interface UsedBudget {
  readonly used: number;
  readonly allowed: number;
  /** A class of failures; absent for all restarts together. */
  readonly of?: string;
}

/** Decodes the arguments of an activity or a signal, which an installation may have encrypted. */
export type DecodePayload = (payload: Payload | undefined) => Promise<unknown>;

/** Returns what an event says; undefined if it says nothing. */
export async function factOf(
  event: RunEvent,
  runId: string,
  decode: DecodePayload,
): Promise<JobFact | undefined> {
  const said =
    startFact(event) ?? upsertFact(event) ?? closeFact(event) ?? (await argumentFact(event, decode));
  return said && { key: `${runId}/${event.eventId}`, at: timeOfEvent(event), ...said };
}

type Said = Omit<JobFact, 'key' | 'at'>;

function startFact({ workflowExecutionStartedEventAttributes: started }: RunEvent): Said | undefined {
  if (!started || started.continuedExecutionRunId) return undefined;
  const given = attributesIn(started.searchAttributes?.indexedFields);
  return { phase: 'Pending', reason: null, attempt: 1, noSteps: null, ...given, isFirst: true };
}

function upsertFact(event: RunEvent): Said | undefined {
  const { upsertWorkflowSearchAttributesEventAttributes: upsert } = event;
  const said = upsert && attributesIn(upsert.searchAttributes?.indexedFields);
  return said && Object.keys(said).length > 0 ? said : undefined;
}

type Attributes = Readonly<Record<string, Payload>> | null | undefined;

function attributesIn(fields: Attributes): Said {
  const read = (name: string): unknown => {
    const payload = fields?.[name];
    return payload && single(searchAttributePayloadConverter.fromPayload(payload));
  };
  const [phase, reason, attempt] = (['phase', 'reason', 'attempt'] as const).map((one) =>
    read(ATTRIBUTE_NAMES[one]),
  );
  return {
    ...(isOneOf(PHASES, phase) ? { phase } : {}),
    ...(reason === undefined ? {} : { reason: isReasonCode(reason) ? reason : null }),
    ...(attempt === undefined ? {} : { attempt: Number(attempt) }),
  };
}

/** One that was removed is an empty list. */
const single = (value: unknown): unknown => (Array.isArray(value) ? (value[0] ?? null) : value);

/** How Temporal closed a run whose code recorded no end. */
function closeFact(event: RunEvent): Said | undefined {
  if (event.workflowExecutionTerminatedEventAttributes)
    return closed('Stopped', 'WorkflowTerminated', event.workflowExecutionTerminatedEventAttributes.reason);
  if (event.workflowExecutionTimedOutEventAttributes) return closed('Stopped', 'WorkflowTerminated');
  if (event.workflowExecutionCanceledEventAttributes) return closed('Stopped', 'Cancelled');
  if (event.workflowExecutionCompletedEventAttributes)
    return { phase: 'Completed', reason: null, isClose: true };
  const failure = event.workflowExecutionFailedEventAttributes?.failure;
  if (!failure) return undefined;
  const isInvalid = failure.applicationFailureInfo?.type === INVALID_MANIFEST;
  return closed('Failed', isInvalid ? 'InvalidManifest' : 'EngineFault', failure.message);
}

const closed = (phase: Phase, reason: ReasonCode, message?: string | null): Said => ({
  ...{ phase, reason, isClose: true },
  ...(message ? { cause: { of: phase, cause: { reason, message } } } : {}),
});

async function argumentFact(event: RunEvent, decode: DecodePayload): Promise<Said | undefined> {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal?.signalName === DIGEST_SIGNAL)
    return { noSteps: noStepsIn(await decode(signal.input?.payloads?.[0] as Payload | undefined)) };
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (!scheduled || !WITH_STATUS.has(scheduled.activityType?.name ?? '')) return undefined;
  const status = statusIn(await decode(scheduled.input?.payloads?.[0] as Payload | undefined));
  if (!status) return undefined;
  const budget = budgetOf(status);
  return {
    ...(status.cause ? { cause: { of: status.phase, cause: status.cause } } : {}),
    ...(budget ? { budget } : {}),
    owner: status.owner ?? null,
  };
}

function budgetOf({ restarts, restartsAllowed: allowed, budgets = {} }: JobStatus): UsedBudget | undefined {
  const all: UsedBudget[] = Object.entries(budgets).map(([of, budget]) => ({ ...budget, of }));
  if (allowed !== undefined) all.push({ used: restarts, allowed });
  return all.filter((one) => one.used > 0).sort((one, other) => usedShareOf(other) - usedShareOf(one))[0];
}

/** One that allows nothing is used up with the first. */
export const usedShareOf = ({ used, allowed }: UsedBudget): number => (allowed > 0 ? used / allowed : 1);

/** Activities that record a status: alone, or with the clean-up. */
const WITH_STATUS: ReadonlySet<string> = new Set(['recordStatus', 'cleanUp']);

function noStepsIn(digest: unknown): string | null {
  return isFields(digest) && typeof digest.noSteps === 'string' ? digest.noSteps : null;
}

function statusIn(request: unknown): JobStatus | undefined {
  if (!isFields(request)) return undefined;
  const { status } = isFields(request.record) ? request.record : request;
  return isFields(status) && isOneOf(PHASES, status.phase) ? (status as unknown as JobStatus) : undefined;
}
