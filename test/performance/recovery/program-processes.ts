import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../../language/error-code.ts';
import { type ProgramRun, readProgramLog } from './program-log.ts';

const PAUSE_MS = 250;
const PROGRAM = 'test/performance/recovery/program.py';

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
  const running = (await readProgramLog(folder)).filter(({ events }) => events.at(-1)!.what !== 'ended');
  for (const pid of await pidsOf(running)) if (pid !== undefined) killIfThere(pid);
}

/** It may end by itself, or be killed by its kubelet, at any moment. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** The numbers of these processes on this machine; in a container a program knows another one. None of those that ended. */
export async function pidsOf(runs: readonly ProgramRun[]): Promise<(number | undefined)[]> {
  const pids = new Map((await programsHere()).map(({ pid, pod, ownPid }) => [`${pod} ${ownPid}`, pid]));
  return runs.map(({ pod, pid }) => pids.get(`${pod} ${pid}`));
}

interface RunningProgram {
  readonly pid: number;
  readonly pod: string;
  /** What the program itself takes for its number. */
  readonly ownPid: number;
}

async function programsHere(): Promise<RunningProgram[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map((pid) => programOf(Number(pid))))).flat();
}

async function programOf(pid: number): Promise<RunningProgram[]> {
  // Others' processes cannot be read, and each may end meanwhile.
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const words = (await read('cmdline')).split('\0');
  if (!/^python/.test(basename(words[0]!)) || !words.includes(PROGRAM)) return [];
  const [environment, status] = await Promise.all([read('environ'), read('status')]);
  const pod = environment
    .split('\0')
    .find((variable) => variable.startsWith('POD_NAME='))
    ?.slice('POD_NAME='.length);
  const ownPid = /^NSpid:.*?(\d+)$/m.exec(status)?.[1];
  return pod !== undefined && ownPid !== undefined ? [{ pid, pod, ownPid: Number(ownPid) }] : [];
}
