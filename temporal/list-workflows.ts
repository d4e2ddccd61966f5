import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';

/** As of `client.workflow.list`. */
interface WorkflowsQuery {
  readonly query: string;
  readonly pageSize?: number;
  /** Leaves memos out: a data converter may take its time for each. */
  readonly withoutMemos?: boolean;
}

type RawInfo = Parameters<typeof executionInfoFromRaw>[0];

/**
 * Yields workflows as `client.workflow.list` does. That one ends with an error at the first memo that cannot be decoded,
 * and any client of Temporal can start a workflow with one: here such a workflow has no memo, and hides no other.
 */
export async function* listWorkflows(
  client: Client,
  { query, pageSize, withoutMemos = false }: WorkflowsQuery,
): AsyncGenerator<WorkflowExecutionInfo> {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      ...{ namespace, query, pageSize, nextPageToken },
    });
    for (const raw of page.executions as RawInfo[])
      yield await infoOf(client, withoutMemos ? withoutMemo(raw) : raw);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken?.length);
}

async function infoOf(client: Client, raw: RawInfo): Promise<WorkflowExecutionInfo> {
  const { namespace, loadedDataConverter } = client.options;
  try {
    return await executionInfoFromRaw(raw, loadedDataConverter, raw, namespace);
  } catch {
    return executionInfoFromRaw(withoutMemo(raw), loadedDataConverter, raw, namespace);
  }
}

/** A message has what the server left out, e.g. the length of an open workflow's history, on its prototype: a copy has not. */
const withoutMemo = (raw: RawInfo): RawInfo => Object.create(raw, { memo: { value: undefined } });
