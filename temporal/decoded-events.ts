import type { Client } from '@temporalio/client';
import { withoutCodecs } from './payloads.ts';
import type { RunEvent } from './run-chain.ts';

/**
 * Returns events with the arguments of signals, updates and activities, and the results of the latter, as plain JSON: an
 * installation may have encrypted them.
 */
export async function decodedEvents(
  { options }: Pick<Client, 'options'>,
  events: readonly RunEvent[],
): Promise<readonly RunEvent[]> {
  const { loadedDataConverter } = options;
  if (loadedDataConverter.payloadCodecs.length === 0) return events;
  const decode = async (input: Arguments) => ({
    payloads: await withoutCodecs(loadedDataConverter, input?.payloads),
  });
  return Promise.all(events.map((event) => decodedEvent(event, decode)));
}

type Arguments = NonNullable<RunEvent['workflowExecutionSignaledEventAttributes']>['input'];

async function decodedEvent(
  event: RunEvent,
  decode: (input: Arguments) => Promise<Arguments>,
): Promise<RunEvent> {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) {
    return {
      ...event,
      workflowExecutionSignaledEventAttributes: { ...signal, input: await decode(signal.input) },
    };
  }
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    const input = await decode(scheduled.input);
    return { ...event, activityTaskScheduledEventAttributes: { ...scheduled, input } };
  }
  const completed = event.activityTaskCompletedEventAttributes;
  if (completed) {
    const result = await decode(completed.result);
    return { ...event, activityTaskCompletedEventAttributes: { ...completed, result } };
  }
  const update = event.workflowExecutionUpdateAcceptedEventAttributes;
  const { input } = update?.acceptedRequest ?? {};
  if (!update || !input) return event;
  const acceptedRequest = { ...update.acceptedRequest, input: { ...input, args: await decode(input.args) } };
  return { ...event, workflowExecutionUpdateAcceptedEventAttributes: { ...update, acceptedRequest } };
}
