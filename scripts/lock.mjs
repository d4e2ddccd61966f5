import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_AGAIN_MS = 250;
/** After this time, a lock without its owner's pid is abandoned. */
const NAMELESS_MS = 5_000;

/** Waits for the lock at `path` (a folder) and returns a function that releases it. Takes over abandoned locks. */
export async function acquireLock(path) {
  let told = false;
  while (!(await tryLock(path))) {
    const owner = await ownerOf(path);
    if (await isAbandoned(path, owner)) {
      await takeAway(path);
      continue;
    }
    if (!told) console.error(`another set-up of this checkout (pid ${owner}) is at work: waiting for it`);
    told = true;
    await delay(LOOK_AGAIN_MS);
  }
  return () => rm(path, { recursive: true, force: true });
}

async function tryLock(path) {
  try {
    await mkdir(path);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(join(path, 'pid'), String(process.pid));
  return true;
}

const ownerOf = async (path) => Number(await readFile(join(path, 'pid'), 'utf8').catch(() => 0));

async function isAbandoned(path, owner) {
  if (owner) return !isRunning(owner);
  const made = await stat(path).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > NAMELESS_MS;
}

/** Renames first: if two processes find the lock abandoned, only one rename succeeds. */
async function takeAway(path) {
  const aside = `${path}.${process.pid}`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { recursive: true, force: true });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
