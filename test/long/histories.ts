import { type Client, defaultPayloadConverter } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Digest } from '../../contracts/digest.ts';
import { DIGEST_SIGNAL, INVALID_MANIFEST, MEMO } from '../../contracts/messages.ts';
import { REFUSED_FOR_NOW } from '../../contracts/refusals.ts';
import { REPLAYED_AFTER_QUERY } from '../../workflows/late-queries.ts';

/** What Temporal has on record of a job, from its first run to its last. */
export interface JobRuns {
  /** Runs that are not the continuation of another one; there is to be one. */
  readonly chains: number;
  /** In epoch milliseconds, when its last run ended; undefined while it is open. */
  readonly closedAt: number | undefined;
  readonly runs: number;
  readonly events: number;
  /** What must not be in a history, a line each. */
  readonly faults: readonly string[];
  /** Workflow tasks that were refused because a query had come with new events. */
  readonly refused: number;
  /** The uid of its anchor; undefined if it was not admitted. */
  readonly anchorUid: unknown;
  /** When it recorded its anchor, in epoch milliseconds: until then it may have had others, which were deleted. */
  readonly admittedAt: number;
  readonly digests: readonly SentDigest[];
}

/** A digest that a job was told. */
interface SentDigest {
  /** In epoch milliseconds. */
  readonly at: number;
  /** Of the client that told it. */
  readonly identity: string;
  readonly digest: Pick<Digest, 'anchor' | 'anchorDeleted' | 'answers'>;
}

/**
 * Failed workflow tasks that say nothing about the workflow: its worker died, or an answer came too late, or twice because
 * its connection broke while the server worked on it (it then finds an update of it completed).
 */
const {
  WORKFLOW_TASK_FAILED_CAUSE_BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE,
  WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
  WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
  WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
} = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;
const { RETRY_STATE_CANCEL_REQUESTED } = proto.temporal.api.enums.v1.RetryState;
const HARMLESS: ReadonlySet<unknown> = new Set([
  WORKFLOW_TASK_FAILED_CAUSE_BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE,
  WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
  WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
]);

/** What may pass, and edits of a custom resource that came too late, twice, or that the job cannot follow. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  REFUSED_FOR_NOW,
  INVALID_MANIFEST,
  'ResourceChanged',
  'ResourceDeleted',
]);

export async function readRuns(temporal: Client, workflowId: string): Promise<JobRuns> {
  const runs = [];
  for await (const run of temporal.workflow.list({ query: `WorkflowId = "${workflowId}"` })) runs.push(run);
  const histories = await Promise.all(
    runs.map(({ runId }) => temporal.workflow.getHandle(workflowId, runId).fetchHistory()),
  );
  const events = histories.flatMap((history) => history.events ?? []);
  const last = runs.filter((run) => run.status.name !== 'CONTINUED_AS_NEW');
  return {
    chains: last.length,
    closedAt: last.length === 1 ? last[0]!.closeTime?.getTime() : undefined,
    anchorUid: runs.find(({ memo }) => memo?.[MEMO.anchorUid])?.memo?.[MEMO.anchorUid],
    admittedAt: Math.min(...events.filter(recordsAnchor).map(timeOf)),
    runs: runs.length,
    events: events.length,
    faults: events.flatMap((event) => faultIn(event) ?? []),
    refused: events.filter(isRefused).length,
    digests: events.flatMap((event) => digestIn(event) ?? []).sort((a, b) => a.at - b.at),
  };
}

type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

const recordsAnchor = ({ workflowPropertiesModifiedEventAttributes: modified }: HistoryEvent): boolean =>
  MEMO.anchorUid in (modified?.upsertedMemo?.fields ?? {});

const timeOf = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6;

function digestIn(event: HistoryEvent): SentDigest | undefined {
  const { workflowExecutionSignaledEventAttributes: signal } = event;
  const [payload] = signal?.input?.payloads ?? [];
  if (signal?.signalName !== DIGEST_SIGNAL || !payload) return undefined;
  return {
    at: timeOf(event),
    identity: signal.identity ?? '',
    digest: defaultPayloadConverter.fromPayload<Digest>(payload),
  };
}

const isRefused = ({ workflowTaskFailedEventAttributes: task }: HistoryEvent): boolean =>
  task?.failure?.message === REPLAYED_AFTER_QUERY;

/**
 * Temporal keeps the task that brings an update in memory, and writes it anew if its server was killed meanwhile. The SDK has failed
 * to replay such an update at its first try, and not at the next one. All histories are replayed once more here: one of which the
 * workflow’s code is the cause fails there, too.
 */
const isRewrittenUpdate = ({ workflowTaskFailedEventAttributes: task }: HistoryEvent): boolean =>
  task?.cause === WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR &&
  /No command scheduled for event .*WorkflowExecutionUpdateAccepted\)$/.test(task.failure?.message ?? '');

function faultIn(event: HistoryEvent): string | undefined {
  const { workflowTaskFailedEventAttributes: task, activityTaskFailedEventAttributes: activity } = event;
  if (task) {
    if (HARMLESS.has(task.cause) || isRefused(event) || isRewrittenUpdate(event)) return undefined;
    return `workflow task failed (cause ${task.cause}): ${task.failure?.message}`;
  }
  if (activity) {
    // One that is called off is not tried again, whatever came in its way.
    if (activity.retryState === RETRY_STATE_CANCEL_REQUESTED) return undefined;
    const type = activity.failure?.applicationFailureInfo?.type;
    return REFUSALS.has(type) ? undefined : `activity failed: ${type}: ${activity.failure?.message}`;
  }
  return undefined;
}
