import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program and returns what it prints. Throws with its complaint. It can ask nobody anything. */
export async function runProgram(
  program: string,
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const running = run(program, [...args], { maxBuffer: 2 ** 24 });
  running.child.stdin?.end();
  return running.catch((error: Error & { readonly stderr?: string }) => {
    throw new Error(`${basename(program)} ${args.join(' ')}: ${error.stderr || error.message}`, {
      cause: error,
    });
  });
}
