import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SandboxError } from '../errors.ts';

const execute = promisify(execFile);

/** Adds the folders of administration programs, which a user's PATH may lack. */
export const PATH = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

/** Runs a program and returns its output. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, [...args], {
      env: { ...process.env, PATH },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new SandboxError(
      `${program} ${args.join(' ')}: failed: ${stderr.trim() || String(cause)}`,
      'read the message above; real nodes need root and the packages that `npm run test:node` names',
      { cause },
    );
  }
}
