import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unlessMissing } from '../../evidence/file-errors.ts';
import { errorCode } from '../../language/error-code.ts';

/** What runs under a lock takes milliseconds: a lock of that age belongs to a process that has ended. */
const STALE_MS = 60_000;
const PAUSE_MS = 20;

/** Runs `work` while no other process does so for the same name. The lock is a file in `folder`. */
export async function underLock<T>(folder: string, name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, `${createHash('sha256').update(name).digest('hex')}.lock`);
  while (!(await take(lock))) {
    await removeStale(lock);
    await delay(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Of several processes that see a stale lock, one moves it away. */
async function removeStale(lock: string): Promise<void> {
  const found = await unlessMissing(stat(lock));
  if (!found || Date.now() - found.mtimeMs < STALE_MS) return;
  const away = `${lock}-${randomBytes(4).toString('hex')}`;
  await unlessMissing(rename(lock, away));
  await rm(away, { force: true });
}
