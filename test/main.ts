import { startGuardian } from '../sandbox/guardian.ts';
import { createProgress } from '../sandbox/progress.ts';
import { ensureSandbox, resetSandbox } from '../sandbox/sandbox.ts';
import { type Pass, runPass, summarize, withSecondTry } from './pass.ts';
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
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => interrupted.abort(name));
  const guardian = await startGuardian();
  const run = (pass: Pass, given: readonly string[]) =>
    runPass(pass, given, { guardian, signal: interrupted.signal });
  try {
    const results = [...(await run(QUICK, args)), ...(await run(SCENARIOS, args))];
    const again = async (files: readonly string[]) => {
      await freshSandbox();
      return run(SECOND_TRY, ['--runTestsByPath', ...files]);
    };
    return summarize(await withSecondTry(results, again));
  } finally {
    await resetSandbox(TEST_SANDBOX_DIR);
    guardian.close();
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
