import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * What process 1 of a PID namespace does, given `mount`, before it becomes the container's program: it gets a /proc that
 * knows it by that number, and says that it is there.
 */
export const PID1_SCRIPT = `
"$0" -n -t proc -o nosuid,nodev,noexec proc /proc || exit 125
echo >&3
exec 3>&-
exec "$@"
`;

/** The output of process 1, and where it says that it is there. */
export const PID1_STDIO = ['ignore', 'pipe', 'pipe', 'pipe'] as const;

/**
 * Process 1 by the pid that this machine knows it by, as soon as it is in its surroundings; undefined if it has ended.
 * It is the only child of the process that waits for it.
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
