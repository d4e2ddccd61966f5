import type { LoadedDataConverter, Payload } from '@temporalio/common';

/** Returns the values in payloads of a history, which an installation may have encrypted. */
export async function decodePayloads(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  given: readonly Payload[] | null | undefined,
): Promise<unknown[]> {
  let payloads = [...(given ?? [])];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads.map((payload) => payloadConverter.fromPayload(payload));
}
