import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../../language/error-code.ts';
import { readProgramLog } from './program-log.ts';

const PAUSE_MS = 250;

/**
 * Kills the processes of a trial until the work is done: a stopped program does not hear SIGTERM, and whoever removes the
 * job would wait for its grace period.
 */
export async function killingPrograms<T>(folder: string, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  // The one who waits for the work hears of its error.
  done.catch(() => undefined);
  while (!isDone) {
    await killPrograms(folder);
    await Promise.race([done.catch(() => undefined), delay(PAUSE_MS)]);
  }
  await killPrograms(folder);
  return done;
}

async function killPrograms(folder: string): Promise<void> {
  for (const { pid, events } of await readProgramLog(folder))
    if (events.at(-1)!.what !== 'ended' && (await isProgram(pid))) killIfThere(pid);
}

/** It may end by itself, or be killed by its kubelet, at any moment. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Its number may belong to another process by now. */
async function isProgram(pid: number): Promise<boolean> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return words.includes('test/performance/recovery/program.py');
}
