import { status as code, Metadata } from '@grpc/grpc-js';
import {
  defaultFailureConverter as failures,
  mapToPayloads,
  defaultPayloadConverter as payloads,
} from '@temporalio/common';
import { encodeUnifiedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import type { WorkflowExecution } from './workflow-execution.ts';

const { enums } = proto.temporal.api;
const { WorkflowExecutionStatus: Status, EventType } = enums.v1;

const INSTALLATION = 'installation-1';
export const TASK_QUEUE = 'signalbox';

/** An activity that a worker has started. */
export interface StartedActivity {
  heartbeat(): void;
}

/** What a server has. */
export interface Executions {
  /** All runs, by workflow id, the oldest first. */
  readonly executions: ReadonlyMap<string, readonly WorkflowExecution[]>;
  all(): WorkflowExecution[];
  last(workflowId: string): WorkflowExecution | undefined;
  start(workflowId: string, type: string, args: readonly unknown[], identity?: string): WorkflowExecution;
  /** By its task token. */
  activityOf(token: Uint8Array | null | undefined): StartedActivity | undefined;
}

function find(
  { executions }: Executions,
  { workflowId, runId }: { readonly workflowId?: string | null; readonly runId?: string | null },
): WorkflowExecution {
  refuseId(workflowId ?? '');
  const runs = executions.get(workflowId ?? '') ?? [];
  const found = runId ? runs.find((run) => run.runId === runId) : runs.at(-1);
  if (!found) throw grpcError(code.NOT_FOUND, `workflow ${workflowId} not found`);
  return found;
}

/** A server's answer to an id that is far too long never arrives. PostgreSQL takes no NUL. */
function refuseId(workflowId: string): void {
  if (workflowId.length > 65_536) throw grpcError(code.DEADLINE_EXCEEDED, 'deadline exceeded');
  if (workflowId.length > 1_000) throw grpcError(code.INVALID_ARGUMENT, 'WorkflowId length exceeds limit.');
  if (workflowId.includes('\u0000')) throw grpcError(code.UNAVAILABLE, 'invalid byte sequence');
}

type Serve = (request: never, server: Executions) => unknown;

/** By the method of Temporal’s service. */
export const ANSWERS: Readonly<Record<string, Serve>> = {
  describeNamespace: () => ({ namespaceInfo: { id: INSTALLATION } }),
  startWorkflowExecution: (
    request: proto.temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest,
    server,
  ) => {
    const running = server.last(request.workflowId!);
    if (running?.isOpen) return { runId: running.runId, started: false };
    const args = (request.input?.payloads ?? []).map((payload) => payloads.fromPayload(payload));
    const started = server.start(
      request.workflowId!,
      request.workflowType!.name!,
      args,
      request.identity ?? '',
    );
    return { runId: started.runId, started: true };
  },
  signalWorkflowExecution: (
    request: proto.temporal.api.workflowservice.v1.ISignalWorkflowExecutionRequest,
    server,
  ) => {
    const execution = find(server, request.workflowExecution!);
    if (!execution.isOpen) throw grpcError(code.NOT_FOUND, 'workflow execution already completed');
    execution.receive({ signalWorkflow: { signalName: request.signalName, input: request.input?.payloads } });
    return {};
  },
  describeWorkflowExecution: (
    request: proto.temporal.api.workflowservice.v1.IDescribeWorkflowExecutionRequest,
    server,
  ) => ({
    workflowExecutionInfo: infoOf(find(server, request.execution!), server),
    pendingActivities: [],
  }),
  listWorkflowExecutions: (
    request: proto.temporal.api.workflowservice.v1.IListWorkflowExecutionsRequest,
    server,
  ) => ({
    executions: chosenBy(request.query ?? '', server).map((execution) => infoOf(execution, server)),
    nextPageToken: new Uint8Array(),
  }),
  getWorkflowExecutionHistory: (
    request: proto.temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryRequest,
    server,
  ) => {
    const execution = find(server, request.execution!);
    const isEnd =
      request.historyEventFilterType ===
      enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
    return {
      history: { events: [isEnd ? closeEventOf(execution) : startEventOf(execution)] },
      nextPageToken: new Uint8Array(),
    };
  },
  queryWorkflow: async (request: proto.temporal.api.workflowservice.v1.IQueryWorkflowRequest, server) => {
    const { queryType, queryArgs } = request.query!;
    const args = (queryArgs?.payloads ?? []).map((payload) => payloads.fromPayload(payload));
    const result = await find(server, request.execution!).query(queryType!, args);
    return { queryResult: { payloads: [payloads.toPayload(result)] } };
  },
  recordActivityTaskHeartbeat: (
    request: proto.temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatRequest,
    server,
  ) => {
    const activity = server.activityOf(request.taskToken);
    if (!activity) throw grpcError(code.NOT_FOUND, 'activity not found');
    activity.heartbeat();
    return { cancelRequested: false };
  },
};

/** Knows the queries that the watcher and the activities ask. */
function chosenBy(query: string, server: Executions): WorkflowExecution[] {
  const type = /WorkflowType = '(\w+)'/.exec(query)?.[1];
  const of = (attribute: string) => new RegExp(`${attribute} = '([^']*)'`).exec(query)?.[1];
  const [namespace, name] = [of('JobNamespace'), of('JobName')];
  const closedAfter = Date.parse(/CloseTime >=? ['"]([^'"]+)['"]/.exec(query)?.[1] ?? '');
  return server
    .all()
    .filter(
      (run) =>
        (type === undefined || run.type === type) &&
        hasStatus(run, query) &&
        (namespace === undefined || run.jobName.namespace === namespace) &&
        (name === undefined || run.jobName.name === name) &&
        (run.isOpen || Number.isNaN(closedAfter) || (run.closedAt ?? 0) >= closedAfter),
    );
}

function hasStatus(run: WorkflowExecution, query: string): boolean {
  const [, open] = /ExecutionStatus (!?=) 'Running'/.exec(query) ?? [];
  const [, closed] = /ExecutionStatus IN \(([^)]*)\)/.exec(query) ?? [];
  if (!open && !closed) return true;
  return run.isOpen ? open === '=' : open === '!=' || Boolean(closed?.includes(`'${run.status}'`));
}

function infoOf(execution: WorkflowExecution, server: Executions) {
  const { workflowId, runId, type, startedAt, closedAt, host } = execution;
  const [first] = server.executions.get(workflowId)!;
  return {
    execution: { workflowId, runId },
    firstRunId: execution.firstRunId ?? first!.runId,
    type: { name: type },
    taskQueue: TASK_QUEUE,
    status: STATUS[execution.status],
    startTime: msToTs(startedAt),
    executionTime: msToTs(startedAt),
    closeTime: closedAt === undefined ? undefined : msToTs(closedAt),
    historyLength: longOf(execution.tasks * 3),
    historySizeBytes: longOf(0),
    memo: { fields: mapToPayloads(payloads, host.info.memo ?? {}) },
    searchAttributes: {
      indexedFields: encodeUnifiedSearchAttributes(undefined, host.info.typedSearchAttributes),
    },
  };
}

const longOf = (value: number) => ({ toNumber: () => value });

const STATUS = {
  Running: Status.WORKFLOW_EXECUTION_STATUS_RUNNING,
  Completed: Status.WORKFLOW_EXECUTION_STATUS_COMPLETED,
  Failed: Status.WORKFLOW_EXECUTION_STATUS_FAILED,
  Canceled: Status.WORKFLOW_EXECUTION_STATUS_CANCELED,
  Terminated: Status.WORKFLOW_EXECUTION_STATUS_TERMINATED,
  ContinuedAsNew: Status.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW,
} as const;

const startEventOf = ({ args, identity }: WorkflowExecution) => ({
  eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  workflowExecutionStartedEventAttributes: {
    identity,
    input: { payloads: args.map((value) => payloads.toPayload(value)) },
  },
});

function closeEventOf(execution: WorkflowExecution) {
  const {
    host: { ending },
    status,
  } = execution;
  if (status === 'Terminated')
    return {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
      workflowExecutionTerminatedEventAttributes: { reason: 'by the simulation' },
    };
  if (ending?.type === 'completed')
    return {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
      workflowExecutionCompletedEventAttributes: {
        result: { payloads: [payloads.toPayload(ending.result)] },
      },
    };
  if (ending?.type === 'failed')
    return {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
      workflowExecutionFailedEventAttributes: { failure: failures.errorToFailure(ending.error, payloads) },
    };
  if (ending?.type === 'cancelled')
    return {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
      workflowExecutionCanceledEventAttributes: {},
    };
  throw grpcError(code.UNAVAILABLE, 'the workflow has not ended');
}

export const grpcError = (status: number, details: string): Error =>
  Object.assign(new Error(details), { code: status, details, metadata: new Metadata() });
