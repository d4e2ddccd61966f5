import type { DataConverter, LoadedDataConverter, Payload } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js';

/** Returns the values in payloads of a history, which an installation may have encrypted. */
export async function decodePayloads(
  converter: LoadedDataConverter,
  given: readonly Payload[] | null | undefined,
): Promise<unknown[]> {
  const payloads = await withoutCodecs(converter, given);
  return payloads.map((payload) => converter.payloadConverter.fromPayload(payload));
}

/** Returns payloads as they were before an installation's codecs, e.g. decrypted. */
export async function withoutCodecs(
  { payloadCodecs }: Pick<LoadedDataConverter, 'payloadCodecs'>,
  given: readonly Payload[] | null | undefined,
): Promise<Payload[]> {
  let payloads = [...(given ?? [])];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads;
}

/** Returns what reads payloads of an installation, without a connection to it. */
export const loadedConverter = (converter: DataConverter | undefined): LoadedDataConverter =>
  loadDataConverter(converter);
