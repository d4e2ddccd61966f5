import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { ROOT } from '../../scripts/package/entries.ts';
import { findPython, PythonEnvironment } from '../python/environment.ts';

jest.setTimeout(600_000);

const WORKFLOWS = '.github/workflows';
const files = readdirSync(join(ROOT, WORKFLOWS)).map((file) => join(WORKFLOWS, file));
const python = await findPython();
if (!python) console.warn('zizmor does not check the workflows: Python 3.10 or later is missing.');

/** What both have to complain of. */
const CARELESS = 'test/scripts/careless-workflow.yml';

describe('the workflows', () => {
  test('have no fault that actionlint finds', async () => {
    const { actionlint } = await ensurePrograms({ names: ['actionlint'] });
    // It would use whatever versions of these the machine has.
    const lint = (...paths: readonly string[]) =>
      printed(actionlint, ['-shellcheck=', '-pyflakes=', '-no-color', ...paths]);
    expect(lint(...files)).toBe('');
    expect(lint(CARELESS)).toContain('potentially untrusted');
  });

  (python ? test : test.skip)('have no weakness that zizmor finds', async () => {
    const environment = await PythonEnvironment.ensure(
      python!,
      '.venv-workflows',
      'requirements-workflows.txt',
    );
    const zizmor = join(dirname(environment.program), 'zizmor');
    const check = (path: string) => printed(zizmor, ['--offline', '--quiet', '--no-progress', path]);
    expect(check(WORKFLOWS)).toContain('No findings to report');
    expect(check(CARELESS)).toContain('unpinned-uses');
  });
});

function printed(program: string, args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  if (error) throw error;
  return stdout + stderr;
}
