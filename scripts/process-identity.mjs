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
    const args = ['-o', 'state=,lstart=', '-p', String(pid)];
    const env = { ...process.env, LC_ALL: 'C' };
    const answer = execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env });
    const [state = 'Z', ...start] = answer.trim().split(/\s+/);
    return state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
