import type { DataConverter, LoadedDataConverter, Payload } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js';

/** Returns the values in payloads of a history, which an installation may have encrypted. */
export async function decodePayloads(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  given: readonly Payload[] | null | undefined,
): Promise<unknown[]> {
  let payloads = [...(given ?? [])];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads.map((payload) => payloadConverter.fromPayload(payload));
}

/** Returns what reads payloads of an installation, without a connection to it. */
export const loadedConverter = (converter: DataConverter | undefined): LoadedDataConverter =>
  loadDataConverter(converter);
