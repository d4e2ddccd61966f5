import { createProgress } from '../sandbox/progress.ts';
import { ensureSandbox, resetSandbox } from '../sandbox/sandbox.ts';
import { type FileCounts, type Pass, runPass, summarize, withSecondTry } from './pass.ts';
import { TEST_SANDBOX, TEST_SANDBOX_DIR } from './test-sandbox.ts';

/**
 * `npm test`: gets the programs, then runs all tests: the quick ones side by side, then the scenarios one after the
 * other, as they share one sandbox and some of them restart its servers. Arguments go to jest, e.g. a path.
 */

const QUICK: Pass = {
  name: 'quick',
  args: ['--testPathIgnorePatterns', '\\.scenario\\.test\\.ts$', '--maxWorkers=2'],
};
const SCENARIOS: Pass = {
  name: 'scenarios',
  // A scenario that fails before it can close its connections must not keep everybody waiting.
  args: ['--testMatch', '**/*.scenario.test.ts', '--runInBand', '--forceExit'],
};
const SECOND_TRY: Pass = { name: 'second-try', args: ['--runInBand', '--forceExit'] };

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  await freshSandbox();
  try {
    const results = [...(await runPass(QUICK, args)), ...(await runPass(SCENARIOS, args))];
    return summarize(await withSecondTry(results, again));
  } finally {
    await resetSandbox(TEST_SANDBOX_DIR);
  }
}

async function freshSandbox(): Promise<void> {
  const progress = createProgress(process.stderr);
  try {
    await resetSandbox(TEST_SANDBOX_DIR);
    await ensureSandbox({ ...TEST_SANDBOX, dir: TEST_SANDBOX_DIR, report: progress });
  } finally {
    progress.end();
  }
}

async function again(files: readonly string[]): Promise<FileCounts[]> {
  await freshSandbox();
  return runPass(SECOND_TRY, ['--runTestsByPath', ...files]);
}
