import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './program.ts';

const run = promisify(execFile);

/** A program that hangs on `--version` must not hang the sandbox. */
const TIMEOUT_MS = 5_000;

/** Returns the first program of this name on PATH with the right version. */
export async function findOnPath(
  program: Program,
  path = process.env.PATH ?? '',
): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, program.name);
    if (folder !== '' && (await isExecutable(file)) && (await askVersion(program, file)) === program.version)
      return file;
  }
  return undefined;
}

async function askVersion(program: Program, file: string): Promise<string | undefined> {
  if (program.versionArgs === undefined) return undefined;
  try {
    const { stdout, stderr } = await run(file, [...program.versionArgs], {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    return program.parseVersion(`${stdout}\n${stderr}`);
  } catch {
    return undefined; // it does not run here
  }
}

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
