import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Process 1 of a PID namespace runs this before the container's program: mounts /proc of the namespace, and reports
 * that it has started. `$0` is the program `mount`.
 */
export const PID1_SCRIPT = `
"$0" -n -t proc -o nosuid,nodev,noexec proc /proc || exit 125
echo >&3
exec 3>&-
exec "$@"
`;

/** Output of process 1, and the pipe on which it reports that it has started. */
export const PID1_STDIO = ['ignore', 'pipe', 'pipe', 'pipe'] as const;

/**
 * Returns the pid of process 1 on this machine when it has started; undefined if it has ended. It is the only child of
 * the process that waits for it.
 */
export async function findPid1({ pid, stdio }: ChildProcess): Promise<number | undefined> {
  try {
    for await (const _said of stdio[3] as Readable) {
      return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')) || undefined;
    }
  } catch {
    // The process that waits for it has ended.
  }
  return undefined;
}
