import {
  arrayFromPayloads,
  defaultFailureConverter as failures,
  mapFromPayloads,
  mapToPayloads,
  defaultPayloadConverter as payloads,
  type TypedSearchAttributes,
} from '@temporalio/common';
import {
  decodeTypedSearchAttributes,
  encodeUnifiedSearchAttributes,
} from '@temporalio/common/lib/converter/payload-search-attributes.js';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { coresdk } from '@temporalio/proto';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { JobOutcome } from '../../contracts/status.ts';

/** Messages between a server and the SDK's runtime. */

export type Job = coresdk.workflow_activation.IWorkflowActivationJob;
export type Command = coresdk.workflow_commands.IWorkflowCommand;
export type ActivityResult = coresdk.activity_result.IActivityResolution;

/** Input of a run. */
export interface RunInput {
  readonly args: readonly unknown[];
  readonly memo: Readonly<Record<string, unknown>>;
  readonly searchAttributes: TypedSearchAttributes;
  /** What its first event says of it, e.g. which run it continues, or how Temporal started it. */
  readonly info?: Partial<WorkflowInfo>;
}

/** How a run ended. */
export type Ending =
  | { readonly type: 'completed'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: Error }
  | { readonly type: 'cancelled' }
  | ({ readonly type: 'continuedAsNew' } & RunInput);

/** The state of an update. */
export interface Answer {
  isAccepted: boolean;
  result?: unknown;
  refusal?: Error;
}

export interface Timer {
  readonly seq: number;
  /** The first word of the summary that the Temporal UI shows. */
  readonly name: string;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** Sets `variant`, as the worker's own classes do. */
export const jobOf = (job: Job) => ({ ...job, variant: Object.keys(job)[0] }) as Job;

export const startOf = ({ args, memo, searchAttributes }: RunInput) => ({
  arguments: encode(args),
  memo: { fields: mapToPayloads(payloads, memo) },
  searchAttributes: { indexedFields: encodeUnifiedSearchAttributes(undefined, searchAttributes) },
});

export const signal = (signalName: string, ...args: unknown[]): Job =>
  jobOf({ signalWorkflow: { signalName, input: encode(args) } });

export const cancellation = (): Job => jobOf({ cancelWorkflow: {} });

export const updateOf = (id: string, name: string, args: readonly unknown[]): Job =>
  jobOf({ doUpdate: { id, protocolInstanceId: id, name, input: encode(args), runValidator: true } });

export const queryOf = (queryType: string, args: readonly unknown[] = []): Job =>
  jobOf({ queryWorkflow: { queryId: 'query', queryType, arguments: encode(args) } });

/** Returns the kind of a command, e.g. `startTimer`. */
export const kindOf = (command: Command): string => Object.keys(command)[0]!;

/** Returns undefined for a command that does not end the run. */
export function endingOf(command: Command): Ending | undefined {
  const { completeWorkflowExecution, failWorkflowExecution, continueAsNewWorkflowExecution } = command;
  if (completeWorkflowExecution)
    return { type: 'completed', result: decodeOne(completeWorkflowExecution.result) };
  if (failWorkflowExecution)
    return { type: 'failed', error: failures.failureToError(failWorkflowExecution.failure!, payloads) };
  if (command.cancelWorkflowExecution) return { type: 'cancelled' };
  if (!continueAsNewWorkflowExecution) return undefined;
  const { arguments: args, memo, searchAttributes } = continueAsNewWorkflowExecution;
  return {
    type: 'continuedAsNew',
    args: decode(args),
    memo: mapFromPayloads(payloads, memo) ?? {},
    searchAttributes: decodeTypedSearchAttributes(searchAttributes?.indexedFields),
  };
}

/** The outcome that a job's run completed or failed with. */
export function outcomeIn(ending: Ending | undefined): JobOutcome | undefined {
  if (ending?.type === 'completed') return ending.result as JobOutcome;
  if (ending?.type !== 'failed') return undefined;
  return (ending.error as unknown as { details?: unknown[] }).details?.at(-1) as JobOutcome | undefined;
}

export function timerOf({ startTimer, userMetadata }: Command, now: number): Timer {
  const { seq, startToFireTimeout } = startTimer!;
  const [name = ''] = String(decodeOne(userMetadata?.summary) ?? '').split(':');
  return { seq: seq!, name, at: now + tsToMs(startToFireTimeout) };
}

/** Adds the workflow's response to an update. */
export function reply(answer: Answer, response: NonNullable<Command['updateResponse']>): void {
  const { accepted, rejected, completed } = response;
  if (accepted) answer.isAccepted = true;
  if (rejected) answer.refusal = failures.failureToError(rejected, payloads);
  if (completed) answer.result = decodeOne(completed);
}

const encode = (values: readonly unknown[]) => values.map((value) => payloads.toPayload(value));

type Payload = ReturnType<typeof payloads.toPayload>;

export const decode = (values: readonly Payload[] | null | undefined): unknown[] =>
  arrayFromPayloads(payloads, [...(values ?? [])]);

export const decodeOne = (value: Payload | null | undefined): unknown => value && payloads.fromPayload(value);
