import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/** Compresses. The same text gives the same bytes on every operating system. */
export async function gzipped(text: string | Uint8Array): Promise<Uint8Array> {
  return ofNoSystem(await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }));
}

/** Returns compressed bytes that are the same on every operating system. */
export function ofNoSystem(bytes: Buffer): Uint8Array {
  bytes[OS_BYTE] = UNKNOWN_OS;
  return bytes;
}

export const gunzipped = async (bytes: Uint8Array): Promise<string> =>
  (await promisify(gunzip)(bytes)).toString('utf8');

/** Returns values as lines of JSON, compressed. */
export const gzippedLines = (lines: readonly string[]): Promise<Uint8Array> =>
  gzipped(lines.map((line) => `${line}\n`).join(''));
