import type { ArchiveStore } from '../archive/archive-store.ts';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { LogDamagedError } from './errors.ts';
import { checkpointKey, NEWEST_KEY } from './log-keys.ts';
import { NoteError } from './signed-note.ts';
import { EMPTY_ROOT } from './tree-hash.ts';

/** A checkpoint with its number in the log. */
export interface NumberedCheckpoint {
  readonly number: number;
  readonly size: number;
  readonly root: Buffer;
  /** As stored; undefined before the first checkpoint. */
  readonly signed?: SignedCheckpoint;
}

const BEFORE_THE_FIRST: NumberedCheckpoint = { number: 0, size: 0, root: EMPTY_ROOT };

/** Returns the newest checkpoint. Begins at the number that `log/newest` has, and so needs two or three reads. */
export async function newestCheckpoint(store: ArchiveStore): Promise<NumberedCheckpoint> {
  const hint = await newestHint(store);
  let newest = await readCheckpoint(store, hint);
  if (!newest) {
    const key = checkpointKey(hint);
    throw new LogDamagedError(key, `a checkpoint, as ${NEWEST_KEY} names it`, 'no file');
  }
  for (;;) {
    const next = await readCheckpoint(store, newest.number + 1);
    if (!next) return newest;
    newest = next;
  }
}

/** Returns a checkpoint, the one before the first for 0; undefined if there is none of this number. */
export async function readCheckpoint(
  store: ArchiveStore,
  number: number,
): Promise<NumberedCheckpoint | undefined> {
  if (number === 0) return BEFORE_THE_FIRST;
  const key = checkpointKey(number);
  const bytes = await store.read(key);
  if (!bytes) return undefined;
  const signed = checkpointIn(bytes, key);
  return { number, size: signed.size, root: signed.root, signed };
}

function checkpointIn(bytes: Uint8Array, key: string): SignedCheckpoint {
  try {
    return parseCheckpoint(bytes);
  } catch (cause) {
    if (!(cause instanceof NoteError)) throw cause;
    throw new LogDamagedError(key, cause.expected, cause.found, { cause });
  }
}

async function newestHint(store: ArchiveStore): Promise<number> {
  const bytes = await store.read(NEWEST_KEY);
  if (!bytes) return 0;
  const text = Buffer.from(bytes).toString();
  if (/^[1-9]\d{0,14}\n$/.test(text)) return Number(text);
  throw new LogDamagedError(NEWEST_KEY, 'the number of a checkpoint', JSON.stringify(text.slice(0, 40)));
}
