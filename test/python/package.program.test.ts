import { beforeAll, describe, expect, test } from '@jest/globals';
import { findPython, PythonEnvironment, type PythonRun, SET_UP_MS } from './environment.ts';

/** The Python package without servers: its own tests, types, and style. */

const python = await findPython();
if (!python) console.warn('Skipped the Python package: this machine has no Python 3.10 or later.');

const CHECKS: readonly (readonly [string, readonly string[]])[] = [
  ['its tests without servers pass', ['pytest', '-q', '-m', 'not servers']],
  ['its style is that of ruff', ['ruff', 'check', '.']],
  ['it is formatted as ruff does it', ['ruff', 'format', '--check', '.']],
  ['its types are clean in mypy’s strict mode', ['mypy']],
  ['its types are clean in pyright’s strict mode', ['pyright']],
];

const OK: PythonRun['code'] = 0;

(python ? describe : describe.skip)('the Python package', () => {
  let environment: PythonEnvironment;

  beforeAll(async () => {
    environment = await PythonEnvironment.ensure(python!);
  }, SET_UP_MS);

  test.each(CHECKS)('%s', async (_name, command) => {
    const { code, output } = await environment.module(command);
    expect({ code, output: code === OK ? '' : output }).toEqual({ code: OK, output: '' });
  });
});
