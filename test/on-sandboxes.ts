import { startProcessReaper } from '@signalbox/sandbox';
import {
  BY_PATH,
  type FileCounts,
  listFiles,
  onInterrupt,
  type Pass,
  runPass,
  summarize,
  withSecondTry,
} from './pass.ts';
import { openTestSandboxes, removeTestSandboxes, SANDBOXES } from './test-sandboxes.ts';

const SECOND_TRY: Pass = { name: 'second-try', args: ['--maxWorkers=1', BY_PATH] };

/**
 * Runs `first`, which need no servers, and then tests of which some do, on as many sandboxes side by side as the machine
 * can carry. `args` go to jest; where they name no scenario, no sandbox is started. Returns the exit code.
 */
export async function runOnSandboxes(
  { first = [], pass }: { readonly first?: readonly Pass[]; readonly pass: Pass },
  args: readonly string[],
): Promise<number> {
  const files = await listFiles(pass, args);
  const sandboxes = Math.min(SANDBOXES, files.filter(isScenario).length);
  const reaper = await startProcessReaper();
  try {
    const signal = onInterrupt();
    const run = (one: Pass, given: readonly string[]) => runPass(one, given, { reaper, signal });
    const runAgain = async (failed: readonly string[]) => {
      if (failed.some(isScenario)) await openTestSandboxes(1);
      return run(SECOND_TRY, failed);
    };
    const results: FileCounts[] = [];
    for (const one of first) results.push(...(await run(one, args)));
    if (files.length > 0 && !signal.aborted) {
      await openTestSandboxes(sandboxes);
      results.push(...(await run(pass, [`--maxWorkers=${Math.max(sandboxes, 1)}`, ...args])));
    }
    if (results.length === 0) return nothingRan(args);
    return summarize(await withSecondTry(results, runAgain));
  } finally {
    await removeTestSandboxes();
    reaper.close();
  }
}

function nothingRan(args: readonly string[]): number {
  console.error(
    `No test file matches ${args.join(' ')}. CONTRIBUTING.md says which command runs which tests: npm test, npm run ` +
      'test:release, test:node or test:long.',
  );
  return 1;
}

function isScenario(file: string): boolean {
  return file.endsWith('.scenario.test.ts');
}
