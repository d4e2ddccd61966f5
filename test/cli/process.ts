import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checkout's command line. */
export const BIN = fileURLToPath(new URL('../../cli/bin.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Runs it as this user. */
  readonly uid?: number;
  /** Default: the checkout's. */
  readonly program?: string;
}

/** Runs the command line as people do: as a process. Nothing of this machine's settings reaches it. */
export function signalbox(args: readonly string[], options: Options = {}): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    SIGNALBOX_SANDBOX_DIR: '/nowhere',
    XDG_CONFIG_HOME: '/nowhere',
    ...options.env,
  };
  const child = spawn(process.execPath, [options.program ?? BIN, ...args], { env, uid: options.uid });
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

/** Standard error without the lines that tell how long a step takes: a busy machine has some. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^(waiting for a worker|checking) ?.*\(\S+s\)\n/gm, '');
