import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Kills its process groups when the process that started it has ended, even by SIGKILL. */
export interface ProcessReaper {
  /** From now on this process group (the pid of a child spawned with `detached: true`) dies with this process. */
  add(processGroup: number): void;
  /** Call it when the group has ended: its number may be reused. */
  remove(processGroup: number): void;
  /** Ends the reaper and kills the remaining groups. */
  close(): void;
}

/**
 * Starts a shell in a new session that reads commands from a pipe. A process cannot catch SIGKILL, but the kernel
 * closes its pipes, so the end of input tells the shell that this process has ended.
 */
export async function startProcessReaper(): Promise<ProcessReaper> {
  const groups = new Set<number>();
  let closed = false;
  let shell = spawnShell();
  shell.on('exit', replace);
  await once(shell, 'spawn');

  function send(order: string): void {
    shell.stdin?.write(`${order}\n`);
  }

  /** Replaces a reaper that was killed. */
  function replace(): void {
    if (closed) return;
    shell = spawnShell();
    shell.on('exit', replace);
    for (const group of groups) send(`guard ${group}`);
  }

  return {
    add(group) {
      assertGroup(group);
      groups.add(group);
      send(`guard ${group}`);
    },
    remove(group) {
      if (groups.delete(group)) send(`release ${group}`);
    },
    close() {
      closed = true;
      shell.stdin?.end();
    },
  };
}

function spawnShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  shell.on('error', () => undefined); // no /bin/sh: `once(shell, 'spawn')` rejects with the same error
  shell.stdin?.on('error', () => undefined); // it was killed: its exit is handled
  shell.unref();
  (shell.stdin as Socket).unref();
  return shell;
}

/** 0 and 1 would mean "my own group" and "everybody". */
function assertGroup(group: number): void {
  if (Number.isSafeInteger(group) && group > 1) return;
  throw new RangeError(`process reaper: expected the pid of a detached child (an integer > 1), got ${group}`);
}

const SCRIPT = `
trap '' HUP INT TERM
groups=
while read -r order group; do
  rest=
  for each in $groups; do
    [ "$each" = "$group" ] || rest="$rest $each"
  done
  groups=$rest
  [ "$order" = guard ] && groups="$groups $group"
done
for each in $groups; do
  kill -s KILL -- "-$each" 2>/dev/null
done
exit 0
`;
