import type { Client } from '@temporalio/client';
import { passedOn, type RunStart } from '../contracts/carried-state.ts';
import { msOf } from './event-time.ts';
import { decodePayloads } from './payloads.ts';
import type { RunEvent } from './run-chain.ts';

/** One run of a workflow. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** How a run was started. */
interface WorkflowStart {
  readonly input: readonly unknown[];
  /** Returns an entry of its memo. */
  memo(key: string): Promise<unknown>;
  /** Who started it, as that client calls itself. */
  readonly identity: string | undefined;
  /** The first run of its chain. */
  readonly firstRunId: string;
  /** Whether the run before has passed on the second argument. */
  readonly isContinued: boolean;
  /** By Temporal's clock, in epoch milliseconds. */
  readonly startedAt: number;
}

/** Returns what a run was started with, and by whom: the first event of its history has it. */
export async function workflowStart(
  { workflowService, options }: Client,
  run: WorkflowRun,
): Promise<WorkflowStart> {
  const { namespace, loadedDataConverter } = options;
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: run,
    maximumPageSize: 1,
  });
  const [event] = history?.events ?? [];
  const started = event?.workflowExecutionStartedEventAttributes ?? {};
  const { memo, identity, firstExecutionRunId } = started;
  const input = await decodePayloads(loadedDataConverter, started.input?.payloads);
  return {
    input,
    memo: async (key) => {
      const payload = memo?.fields?.[key];
      return payload && (await decodePayloads(loadedDataConverter, [payload]))[0];
    },
    identity: identity || undefined,
    firstRunId: firstExecutionRunId || run.runId,
    isContinued: passedOn(runStartOf(started), input[1]) !== undefined,
    startedAt: msOf(event?.eventTime ?? {}),
  };
}

type Started = NonNullable<RunEvent['workflowExecutionStartedEventAttributes']>;

export const runStartOf = ({ continuedExecutionRunId, attempt, cronSchedule }: Started): RunStart => ({
  ...{ continues: continuedExecutionRunId, attempt, cronSchedule },
});
