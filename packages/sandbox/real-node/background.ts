import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from '../engine.ts';
import { signalGroup } from '../process-identity.ts';
import type { ProcessReaper } from '../process-reaper.ts';
import { openLog } from '../supervisor/open-log.ts';
import { startFailure } from '../supervisor/start-failure.ts';
import { PATH } from './command.ts';

const POLL_MS = 50;

interface BackgroundProgram {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly log: string;
  readonly reaper: ProcessReaper;
  isReady(pid: number): Promise<boolean> | boolean;
  readonly readyWithinMs: number;
}

/** Starts a program as the leader of a process group that dies with this process, and waits until it is ready. */
export async function startInBackground(program: BackgroundProgram): Promise<ProcessIdentity> {
  const { name, command, log: path, reaper, readyWithinMs } = program;
  const log = openLog(path);
  const from = fstatSync(log).size;
  const [file, ...args] = command;
  const child = spawn(file, args, {
    detached: true,
    env: { ...process.env, PATH, NODE_OPTIONS: '' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const pid = child.pid!;
  reaper.add(pid);
  child.once('exit', () => reaper.remove(pid));
  const identity = identify(pid);
  const until = Date.now() + readyWithinMs;
  while (!(await ready(program, pid))) {
    if (identity === undefined || !isAlive(identity)) throw startFailure(name, 'it ended', { path, from });
    if (Date.now() > until) {
      signalGroup(identity, 'SIGKILL');
      throw startFailure(name, `not ready within ${readyWithinMs / 1000} s`, { path, from });
    }
    await delay(POLL_MS);
  }
  return identity!;
}

/** Terminates the group, and kills it after the time. SIGCONT lets a stopped process end. */
export async function endGroup(leader: ProcessIdentity, withinMs: number): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  signalGroup(leader, 'SIGCONT');
  const until = Date.now() + withinMs;
  while (isAlive(leader)) {
    if (Date.now() > until) signalGroup(leader, 'SIGKILL');
    await delay(POLL_MS);
  }
}

async function ready({ isReady }: BackgroundProgram, pid: number): Promise<boolean> {
  try {
    return await isReady(pid);
  } catch {
    return false;
  }
}
