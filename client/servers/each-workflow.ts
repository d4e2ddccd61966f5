import type { WorkflowExecutionInfo } from '@temporalio/client';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import type { CallOptions } from './client-settings.ts';
import type { TemporalPort } from './ports.ts';
import { retryWhileAway } from './retry-while-away.ts';

interface Listed {
  readonly query: string;
  readonly pageSize: number;
  readonly options: CallOptions;
}

/** Yields workflows, each run once. Fetches each page when it is needed. After an interruption of the server, the list starts again. */
export async function* eachWorkflow(
  { temporal }: Pick<TemporalPort, 'temporal'>,
  { query, pageSize, options }: Listed,
): AsyncGenerator<WorkflowExecutionInfo> {
  const begin = () => listWorkflows(temporal, { query, pageSize });
  const seen = new Set<string>();
  let pages = begin();
  const nextOne = async () => {
    try {
      return await pages.next();
    } catch (error) {
      pages = begin();
      throw error;
    }
  };
  for (;;) {
    const next = await retryWhileAway(temporal, options, nextOne);
    if (next.done) return;
    const { runId } = next.value;
    if (!seen.has(runId)) yield next.value;
    seen.add(runId);
  }
}
