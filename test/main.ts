import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '../sandbox/progress.ts';
import { ensureSandbox, resetSandbox } from '../sandbox/sandbox.ts';
import { TEST_SANDBOX, TEST_SANDBOX_DIR } from './test-sandbox.ts';

/**
 * `npm test`: gets the programs, then runs all tests: the quick ones side by side, then the scenarios one after the
 * other, as they share one sandbox and some of them restart its servers. Arguments go to jest, e.g. a path.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = join(ROOT, '.signalbox', 'test-results');

interface Pass {
  readonly name: string;
  readonly args: readonly string[];
}

const QUICK: Pass = {
  name: 'quick',
  args: ['--testPathIgnorePatterns', '\\.scenario\\.test\\.ts$', '--maxWorkers=2'],
};
const SCENARIOS: Pass = {
  name: 'scenarios',
  // A scenario that fails before it can close its connections must not keep everybody waiting.
  args: ['--testMatch', '**/*.scenario.test.ts', '--runInBand', '--forceExit'],
};

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  await mkdir(RESULTS, { recursive: true });
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

async function runPass({ name, args }: Pass, given: readonly string[]): Promise<Counts> {
  console.log(`\n== ${name} tests`);
  const file = join(RESULTS, `${name}.json`);
  await rm(file, { force: true });
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const output = ['--json', `--outputFile=${file}`, '--passWithNoTests'];
  const child = spawn(process.execPath, [...flags, jest, ...args, ...output, ...given], {
    cwd: ROOT,
    // jest's JSON would also go to standard output; its report for people goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  return readCounts(file, child.exitCode);
}

async function readCounts(file: string, exitCode: number | null): Promise<Counts> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(text) as Record<string, number>;
  const brokenFiles = result.numRuntimeErrorTestSuites ?? 0;
  const failed = (result.numFailedTests ?? 0) + brokenFiles;
  return {
    passed: result.numPassedTests ?? 0,
    failed: failed || (exitCode === 0 ? 0 : 1),
    skipped: (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0),
  };
}

function summarize(counts: readonly Counts[]): number {
  const sum = (of: (one: Counts) => number) => counts.reduce((total, one) => total + of(one), 0);
  const failed = sum((one) => one.failed);
  const skipped = sum((one) => one.skipped);
  console.log(
    `\n${sum((one) => one.passed)} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
  );
  return failed === 0 ? 0 : 1;
}
