import { startProcessReaper } from '@signalbox/sandbox';
import {
  type FileCounts,
  listFiles,
  onInterrupt,
  type Pass,
  runPass,
  summarize,
  withSecondTry,
} from './pass.ts';
import { openTestSandboxes, removeTestSandboxes, SANDBOXES } from './test-sandboxes.ts';
import { UNIT } from './unit-tests.ts';

/**
 * `npm test`: the unit tests, then those that start programs and the scenarios, on as many sandboxes side by side as the
 * machine can carry. Arguments go to vitest, e.g. a path; where they name no scenario, no sandbox is started.
 */

const SCENARIOS: Pass = {
  name: 'scenarios',
  args: ['--project=scenarios'],
};
const SECOND_TRY: Pass = { name: 'second-try', args: ['--maxWorkers=1'] };

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const files = await listFiles(SCENARIOS, args);
  const sandboxes = Math.min(SANDBOXES, files.filter(isScenario).length);
  const reaper = await startProcessReaper();
  try {
    const signal = onInterrupt();
    const run = (pass: Pass, given: readonly string[]) => runPass(pass, given, { reaper, signal });
    const runAgain = async (files: readonly string[]) => {
      if (files.some(isScenario)) await openTestSandboxes(1);
      return run(SECOND_TRY, files);
    };
    const results: FileCounts[] = await run(UNIT, args);
    if (files.length > 0 && !signal.aborted) {
      await openTestSandboxes(sandboxes);
      results.push(...(await run(SCENARIOS, [`--maxWorkers=${Math.max(sandboxes, 1)}`, ...args])));
    }
    return summarize(await withSecondTry(results, runAgain));
  } finally {
    await removeTestSandboxes();
    reaper.close();
  }
}

function isScenario(file: string): boolean {
  return file.endsWith('.scenario.test.ts');
}
