import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { msOf } from '../../temporal/event-time.ts';
import type { RunSize } from '../workflow-runs.ts';

/** When timers of a name were set to ring, in all of these runs, in epoch milliseconds; each time once. */
export async function ringTimes(
  temporal: Client,
  { workflowId, runs, name }: { workflowId: string; runs: readonly RunSize[]; name: string },
): Promise<number[]> {
  const times = new Set<number>();
  for (const { runId } of runs) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    // The clock of a workflow stands at the beginning of its task.
    let now = 0;
    for (const {
      eventTime,
      workflowTaskStartedEventAttributes,
      timerStartedEventAttributes,
      userMetadata,
    } of events ?? []) {
      if (workflowTaskStartedEventAttributes) now = msOf(eventTime ?? {});
      const summary = userMetadata?.summary && defaultPayloadConverter.fromPayload(userMetadata.summary);
      if (timerStartedEventAttributes && String(summary).startsWith(`${name}:`)) {
        times.add(now + msOf(timerStartedEventAttributes.startToFireTimeout ?? {}));
      }
    }
  }
  return [...times];
}
