import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../package/entries.ts';

const run = promisify(execFile);

/** Builds wheel and sdist of the Python package into the folder `out`, with the tools that requirements.txt pins. */
export async function buildPythonPackage(out: string, scratch: string): Promise<void> {
  const environment = join(scratch, 'venv');
  const python = join(environment, 'bin/python');
  await run(process.env.SIGNALBOX_PYTHON ?? 'python3', ['-m', 'venv', environment]);
  const constraint = ['--constraint', join(ROOT, 'python/requirements.txt')];
  await run(python, ['-m', 'pip', 'install', '--quiet', ...constraint, 'build', 'hatchling']);
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', out, join(ROOT, 'python')]);
}
