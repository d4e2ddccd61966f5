import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program and returns what it prints. Throws with its complaint. */
export const runProgram = (
  program: string,
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  run(program, [...args], { maxBuffer: 2 ** 24 }).catch((error: Error & { readonly stderr?: string }) => {
    throw new Error(`${basename(program)} ${args.join(' ')}: ${error.stderr || error.message}`, {
      cause: error,
    });
  });
