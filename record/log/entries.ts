import { LogDamagedError } from './errors.ts';

/** The length before an entry has two bytes. */
export const LARGEST_ENTRY = 65_535;

/** Returns entries as a bundle: each with its length, a big-endian uint16, before it (C2SP tlog-tiles). */
export function encodeEntries(entries: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

/** `key`: the bundle's, for the error. */
export function decodeEntries(bundle: Uint8Array, key: string): Buffer[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  const entries: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 <= bytes.length ? at + 2 + bytes.readUInt16BE(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) {
      throw new LogDamagedError(
        key,
        `a whole entry at byte ${at}`,
        `a file that ends at byte ${bytes.length}`,
      );
    }
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
