import type { ArchiveStore } from '../archive/archive-store.ts';
import { LogDamagedError } from './errors.ts';

/** Where a leaf is in its log. */
export interface LeafPlace {
  readonly index: number;
  /** Of RFC 6962, in hex. */
  readonly hash: string;
}

/** Reads the place that a key of `placeKeyOf` notes; undefined if there is none. Throws `LogDamagedError`. */
export async function readLeafPlace(store: ArchiveStore, key: string): Promise<LeafPlace | undefined> {
  const bytes = await store.read(key);
  if (!bytes) return undefined;
  const text = Buffer.from(bytes).toString();
  const [, index, hash] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(text) ?? [];
  if (hash !== undefined) return { index: Number(index), hash };
  throw new LogDamagedError(key, 'index and hash of a leaf', JSON.stringify(text.slice(0, 100)));
}

export const leafPlaceText = ({ index, hash }: { readonly index: number; readonly hash: Buffer }): string =>
  `${index} ${hash.toString('hex')}\n`;
