import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A pid alone may belong to another process after a reboot or a wrap-around; together with its start time it does not.
 * Returns undefined if there is no such process, or only a zombie.
 */
export function identify(pid) {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export const isAlive = ({ pid, startTime }) => identify(pid)?.startTime === startTime;

/** Returns the pid of a process's parent and its command line, which it may have changed; undefined if it is gone. */
export function describeProcess(pid) {
  try {
    if (process.platform !== 'linux') return describeByPs(pid);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}

function describeByPs(pid) {
  const [, parent, command] = /^\s*(\d+)\s+(.*)$/.exec(ps(pid, 'ppid=,command=').trim());
  return { parent: Number(parent), command };
}

/**
 * Reads /proc/PID/stat from its third field on: the name in brackets before it may contain spaces and brackets. A
 * process whose first thread has ended still holds its ports and files while others run.
 */
function startTimeFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [threads, startTime] = [Number(rest[16]), rest[18]];
    return (state === 'Z' && threads <= 1) || state === 'X' ? undefined : startTime;
  } catch {
    return undefined;
  }
}

function startTimeFromPs(pid) {
  try {
    const [state = 'Z', ...start] = ps(pid, 'state=,lstart=').trim().split(/\s+/);
    return state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

function ps(pid, columns) {
  const env = { ...process.env, LC_ALL: 'C' };
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env };
  return execFileSync('ps', ['-o', columns, '-p', String(pid)], options);
}
