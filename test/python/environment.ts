import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acquireLock } from '../../runtime/lock.mjs';

const run = promisify(execFile);

export const PYTHON_PACKAGE = fileURLToPath(new URL('../../python', import.meta.url));

/** Time to install the packages, in milliseconds. */
export const SET_UP_MS = 600_000;

const OLDEST = [3, 10] as const;
/** SIGNALBOX_PYTHON names another one. */
const CHOSEN: readonly string[] = process.env.SIGNALBOX_PYTHON
  ? [process.env.SIGNALBOX_PYTHON]
  : ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];

export interface PythonRun {
  readonly code: number;
  readonly output: string;
}

/** Returns the program of a Python that the package supports; undefined if this machine has none. */
export async function findPython(names: readonly string[] = CHOSEN): Promise<string | undefined> {
  for (const name of names) {
    const version = await versionOf(name);
    if (version && (version[0]! > OLDEST[0] || (version[0] === OLDEST[0] && version[1]! >= OLDEST[1])))
      return name;
  }
  return undefined;
}

async function versionOf(program: string): Promise<readonly number[] | undefined> {
  try {
    const { stdout } = await run(program, ['--version']);
    return /^Python (\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number);
  } catch {
    return undefined;
  }
}

/** Runs modules of a virtual environment with the packages of one list of requirements. */
export class PythonEnvironment {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the environment `python/NAME`; creates it, with the packages by pip, if it is absent or out of date. */
  static async ensure(
    python: string,
    name = '.venv',
    requirements = 'requirements.txt',
  ): Promise<PythonEnvironment> {
    const folder = join(PYTHON_PACKAGE, name);
    const list = join(PYTHON_PACKAGE, requirements);
    const wanted = createHash('sha256')
      .update(python)
      .update(await readFile(list))
      .digest('hex');
    // Test files run side by side: the others must not use what one is still installing.
    const release = await acquireLock(
      join(PYTHON_PACKAGE, '..', '.signalbox', `python${name}.lock`),
      () => undefined,
    );
    try {
      const stamp = await readFile(join(folder, STAMP), 'utf8').catch(() => '');
      if (stamp !== wanted) await install(python, { folder, list, wanted });
    } finally {
      await release();
    }
    return new PythonEnvironment(folder);
  }

  /** Creates an environment in a folder, with what pip is asked to install. */
  static async create(python: string, folder: string, wanted: readonly string[]): Promise<PythonEnvironment> {
    await run(python, ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted];
    await run(interpreterIn(folder), pip, { maxBuffer: 2 ** 26 });
    return new PythonEnvironment(folder);
  }

  /** The interpreter. */
  get program(): string {
    return interpreterIn(this.#folder);
  }

  /** Runs `python -m MODULE ARGS` in the folder of the package. */
  async module(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<PythonRun> {
    return this.run(['-m', ...args], env);
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<PythonRun> {
    const own = { PATH: `${join(this.#folder, 'bin')}:${process.env.PATH}` };
    const options = { cwd: PYTHON_PACKAGE, env: { ...process.env, ...own, ...env }, maxBuffer: 2 ** 26 };
    try {
      const { stdout, stderr } = await run(this.program, args, options);
      return { code: 0, output: `${stdout}${stderr}` };
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
        message,
      } = error as Error & { code?: unknown; stdout?: string; stderr?: string };
      return { code: typeof code === 'number' ? code : 1, output: `${stdout}${stderr}` || message };
    }
  }
}

const interpreterIn = (folder: string) => join(folder, 'bin', 'python');

/** In the environment: what its packages were installed from. Written last. */
const STAMP = 'requirements.sha256';

async function install(
  python: string,
  { folder, list, wanted }: { readonly folder: string; readonly list: string; readonly wanted: string },
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await PythonEnvironment.create(python, folder, ['-r', list]);
  await writeFile(join(folder, STAMP), wanted);
}
