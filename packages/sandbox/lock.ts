import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity, processIdentitySchema } from './process-identity.ts';

const POLL_MS = 100;

export interface Lock {
  release(): Promise<void>;
}

/**
 * Waits until this process holds the lock file. A lock whose process is dead is taken over.
 * `onWait` is told once, with the pid of the holder.
 */
export async function acquireLock(path: string, onWait: (holder: number) => void): Promise<Lock> {
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
  return { release: () => rm(path, { force: true }) };
}

/** Linking a finished file is atomic: nobody ever reads a lock without its holder in it. */
async function tryLock(path: string, own: ProcessIdentity): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, JSON.stringify(own));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readHolder(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const parsed = processIdentitySchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : { pid: 0, startTime: 'unreadable' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return { pid: 0, startTime: 'unreadable' };
    throw error;
  }
}

/** Two waiters may see the same dead holder; the slower one must not throw away the faster one's new lock. */
async function removeStale(path: string, stale: ProcessIdentity): Promise<void> {
  const aside = `${path}.stale.${process.pid}`;
  try {
    await rename(path, aside);
    const taken = await readHolder(aside);
    if (taken !== undefined && taken.startTime !== stale.startTime) await link(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
