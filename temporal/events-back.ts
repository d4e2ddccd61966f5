import type { Client } from '@temporalio/client';
import { isAboutMissingRun } from './missing-run.ts';
import type { RunEvent } from './run-chain.ts';
import type { WorkflowRun } from './workflow-start.ts';

interface EventOfRun {
  readonly runId: string;
  readonly event: RunEvent;
}

const PAGE = 100;

/** Yields the events of a workflow from the newest back, also of the runs that this one continues. Needs no worker. */
export async function* eventsBack(client: Client, run: WorkflowRun): AsyncGenerator<EventOfRun> {
  for (let runId: string | undefined = run.runId; runId; ) {
    const present: string = runId;
    runId = undefined;
    for await (const event of eventsOfRun(client, { workflowId: run.workflowId, runId: present })) {
      yield { runId: present, event };
      runId = event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    }
  }
}

/** Those that the retention time has deleted are not there. */
async function* eventsOfRun(client: Client, execution: WorkflowRun): AsyncGenerator<RunEvent> {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array | undefined;
  do {
    const request = { namespace, execution, maximumPageSize: PAGE, nextPageToken };
    const page = await client.workflowService
      .getWorkflowExecutionHistoryReverse(request)
      .catch((error: unknown) => {
        if (!isAboutMissingRun(error)) throw error;
        return undefined;
      });
    yield* page?.history?.events ?? [];
    nextPageToken = page?.nextPageToken ?? undefined;
  } while (nextPageToken?.length);
}
