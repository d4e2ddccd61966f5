import { createProgress } from '../sandbox/progress.ts';
import { ensureSandbox, resetSandbox } from '../sandbox/sandbox.ts';
import { type Pass, runPass, summarize } from './pass.ts';
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

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const progress = createProgress(process.stderr);
  try {
    await resetSandbox(TEST_SANDBOX_DIR);
    await ensureSandbox({ ...TEST_SANDBOX, dir: TEST_SANDBOX_DIR, report: progress });
  } finally {
    progress.end();
  }
  try {
    const counts = [await runPass(QUICK, args), await runPass(SCENARIOS, args)];
    return summarize(counts);
  } finally {
    await resetSandbox(TEST_SANDBOX_DIR);
  }
}
