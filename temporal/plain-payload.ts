import type { Payload } from '@temporalio/common';

/** Returns the value of a payload that is plain JSON; undefined if it is something else, or encoded by a codec. */
export function plainValueIn(payload: Payload | null | undefined): unknown {
  if (!payload?.data || decodedText(payload.metadata?.encoding) !== 'json/plain') return undefined;
  try {
    return JSON.parse(decodedText(payload.data));
  } catch {
    return undefined;
  }
}

const decodedText = (bytes: Uint8Array | null | undefined): string =>
  new TextDecoder().decode(bytes ?? undefined);
