import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A pid alone may belong to a stranger after a reboot or a wrap-around; together with its start time it does not. */
export const processIdentitySchema = z.object({ pid: z.number().int(), startTime: z.string() });
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** Undefined when there is no such process, or only its unreaped remains. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/** Sends the signal only if the process is still the one that was identified. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  return kill(identity.pid, name);
}

/** The same for a child that leads its own process group, and everything it started. */
export function signalGroup(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  return kill(-identity.pid, name);
}

function kill(target: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(target, name);
  } catch {
    return false; // it went between the look and the signal
  }
}

/**
 * Fields of /proc/PID/stat from the third on; the name in brackets before it may itself hold spaces and brackets.
 * A first thread that is gone while others are not still holds the ports and files of the process.
 */
function startTimeFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [threads, startTime] = [Number(rest[16]), rest[18]];
    return (state === 'Z' && threads <= 1) || state === 'X' ? undefined : startTime;
  } catch {
    return undefined;
  }
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    const asked = ['-o', 'state=,lstart=', '-p', String(pid)];
    const answer = execFileSync('ps', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env });
    const [state = 'Z', ...start] = answer.trim().split(/\s+/);
    return state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
