import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { JEST } from '../pass.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const CONFIG = `--config=${import.meta.dirname}/probes/jest.config.mjs`;

/** Runs test files of `probes/`. Most fail, and jest with them. */
async function runProbes(...args: readonly string[]): Promise<Report['testResults']> {
  const run = promisify(execFile)(process.execPath, [...JEST, CONFIG, '--json', ...args]);
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const report: Report = JSON.parse(stdout);
  return report.testResults;
}

describe('in a process with others', () => {
  let files: Report['testResults'];

  beforeAll(async () => {
    files = await runProbes('--maxWorkers=1', '--testPathIgnorePatterns=killed');
  });

  const tests = () => files.flatMap(({ assertionResults }) => assertionResults);

  it.each([
    ['takes too long', 'Exceeded timeout of 200 ms'],
    ['finds something else', /"count": 2.*failing\.probe\.ts:14:/s],
    ['leaves a rejection', 'nobody waits for this'],
    ['throws in a timer', 'thrown in a timer'],
    ['asserts nothing', 'at least one assertion'],
    ['a block that cannot be set up is not tried', 'no set-up'],
  ])('a test fails with its reason: %s', (name, why) => {
    const { status, failureMessages } = tests().find(({ fullName }) => fullName === name)!;
    expect(status).toBe('failed');
    expect(failureMessages.join('\n')).toMatch(why);
  });

  it('a test is retried where it says so', () => {
    expect(tests()).toContainEqual(
      expect.objectContaining({ fullName: 'a block that is tried again passes', status: 'passed' }),
    );
  });

  it('a file that cannot be loaded fails with its error', () => {
    const unloadable = files.find(({ name }) => basename(name) === 'unloadable.probe.ts');
    expect(unloadable?.message).toContain('this file cannot be loaded');
  });

  it('files share modules, but none of jest’s own state', () => {
    const names = tests().map(({ fullName, status }) => `${fullName}: ${status}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'is file 1 of those that share a module: passed',
        'is file 2 of those that share a module: passed',
      ]),
    );
  });
});

it('a file whose process is killed fails, and no other does', async () => {
  const files = await runProbes('--maxWorkers=1', 'killed', 'first');
  const messages = Object.fromEntries(files.map(({ name, message }) => [basename(name), message]));
  expect(messages).toEqual({
    'first.probe.ts': '',
    'killed.probe.ts': expect.stringContaining('signal=SIGKILL'),
  });
});
