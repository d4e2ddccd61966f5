import type { DataConverter, LoadedDataConverter, Payload } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js';
import { errorMessage } from '../language/error-message.ts';

/** A codec of an installation did not decode: it may ask a service, or have another key meanwhile. */
export class CodecError extends Error {
  override readonly name = 'CodecError';

  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}

/** Returns the values in payloads of a history, which an installation may have encrypted. */
export async function decodePayloads(
  converter: LoadedDataConverter,
  given: readonly Payload[] | null | undefined,
): Promise<unknown[]> {
  const payloads = await withoutCodecs(converter, given);
  return payloads.map((payload) => converter.payloadConverter.fromPayload(payload));
}

/** Returns payloads as they were before an installation's codecs, e.g. decrypted. Throws `CodecError`. */
export async function withoutCodecs(
  { payloadCodecs }: Pick<LoadedDataConverter, 'payloadCodecs'>,
  given: readonly Payload[] | null | undefined,
): Promise<Payload[]> {
  let payloads = [...(given ?? [])];
  try {
    for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  } catch (error) {
    throw new CodecError(error);
  }
  return payloads;
}

/** Returns what reads payloads of an installation, without a connection to it. */
export const loadedConverter = (converter: DataConverter | undefined): LoadedDataConverter =>
  loadDataConverter(converter);
