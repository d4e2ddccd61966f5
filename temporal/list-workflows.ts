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
  let next: Uint8Array | undefined;
  do {
    const page = await rawPage(client, { query, pageSize, next });
    for (const raw of page.executions as RawInfo[])
      yield await infoOf(client, withoutMemos ? withoutMemo(raw) : raw);
    next = page.nextPageToken;
  } while (next?.length);
}

/** Some workflows of a list, and where it goes on. */
interface WorkflowsPage {
  readonly workflows: readonly WorkflowExecutionInfo[];
  /** What Temporal takes for the next page; absent after the last one. */
  readonly next?: Uint8Array;
}

/** Returns one page. `next`: as the page before had it. */
export async function workflowsPage(
  client: Client,
  asked: Required<Pick<WorkflowsQuery, 'query' | 'pageSize'>> & { readonly next?: Uint8Array },
): Promise<WorkflowsPage> {
  const { executions, nextPageToken: next } = await rawPage(client, asked);
  const workflows = await Promise.all((executions as RawInfo[]).map((raw) => infoOf(client, raw)));
  return { workflows, ...(next?.length ? { next } : {}) };
}

const rawPage = (
  { workflowService, options: { namespace } }: Client,
  { next: nextPageToken, ...asked }: { query: string; pageSize?: number; next?: Uint8Array },
) => workflowService.listWorkflowExecutions({ namespace, ...asked, nextPageToken });

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
