import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../cli/bin.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as people do: as a process. Nothing of this machine's settings reaches it. */
export function signalbox(
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; stdin?: string } = {},
): Promise<Ended> {
  const env = { PATH: process.env.PATH, SIGNALBOX_SANDBOX_DIR: '/nowhere', ...options.env };
  const child = spawn(process.execPath, [bin, ...args], { env });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  child.stdin.end(options.stdin ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
}
