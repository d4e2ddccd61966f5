import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive } from './process-identity.mjs';

const POLL_MS = 100;
const UNREADABLE = { pid: 0, startTime: 'unreadable' };

/**
 * Waits until this process holds the lock file and returns a function that releases it. Takes over the lock of a dead
 * process. Calls `onWait` once, with the pid of the holder.
 */
export async function acquireLock(path, onWait) {
  await mkdir(dirname(path), { recursive: true });
  const own = identify(process.pid);
  if (own === undefined)
    throw new Error(`${path}: cannot read the start time of this process (${process.pid})`);
  let told = false;
  while (!(await tryLock(path, own))) {
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    if (!isAlive(holder)) await removeStale(path, holder);
    else {
      if (!told) onWait(holder.pid);
      told = true;
      await delay(POLL_MS);
    }
  }
  return () => rm(path, { force: true });
}

/** Links a finished file, which is atomic: nobody reads a lock without its holder in it. */
async function tryLock(path, own) {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, JSON.stringify(own));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns undefined if the lock is gone. */
async function readHolder(path) {
  try {
    const { pid, startTime } = JSON.parse(await readFile(path, 'utf8'));
    return Number.isInteger(pid) && typeof startTime === 'string' ? { pid, startTime } : UNREADABLE;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return UNREADABLE;
    throw error;
  }
}

/** Two waiters may see the same dead holder; the slower one must put the faster one's new lock back. */
async function removeStale(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    await rename(path, aside);
    const taken = await readHolder(aside);
    if (taken !== undefined && taken.startTime !== stale.startTime) await link(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(error.code)) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
