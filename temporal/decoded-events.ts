import type { Client } from '@temporalio/client';
import { withoutCodecs } from './payloads.ts';
import type { RunEvent } from './run-chain.ts';

/** Returns events with the arguments of signals and updates as plain JSON, which an installation may have encrypted. */
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
  const update = event.workflowExecutionUpdateAcceptedEventAttributes;
  const { input } = update?.acceptedRequest ?? {};
  if (!update || !input) return event;
  const acceptedRequest = { ...update.acceptedRequest, input: { ...input, args: await decode(input.args) } };
  return { ...event, workflowExecutionUpdateAcceptedEventAttributes: { ...update, acceptedRequest } };
}
