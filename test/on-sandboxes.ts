import { SandboxError, startProcessReaper } from '@signalbox/sandbox';
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
import { openTestSandboxes, reserveTestSandboxes, SANDBOXES } from './test-sandboxes.ts';

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
  const workers = `--maxWorkers=${Math.max(sandboxes, 1)}`;
  const last = files.length > 0 ? [{ ...pass, args: [workers], sandboxes }] : [];
  try {
    const giveBack = sandboxes > 0 ? await reserveTestSandboxes() : undefined;
    const results = await runPasses([...first, ...last], args).finally(giveBack);
    return results.length === 0 ? nothingRan(args) : summarize(results);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    console.error(`${error.message}\n${error.remedy}`);
    return 1;
  }
}

/** One after the other. */
async function runPasses(
  passes: readonly (Pass & { readonly sandboxes?: number })[],
  args: readonly string[],
): Promise<readonly FileCounts[]> {
  const reaper = await startProcessReaper();
  try {
    const signal = onInterrupt();
    const results: FileCounts[] = [];
    for (const { sandboxes, ...pass } of passes) {
      if (sandboxes && !signal.aborted) await openTestSandboxes(sandboxes);
      results.push(...(await runPass(pass, args, { reaper, signal })));
    }
    return await withSecondTry(results, async (failed) => {
      if (failed.some(isScenario)) await openTestSandboxes(1);
      return runPass(SECOND_TRY, failed, { reaper, signal });
    });
  } finally {
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
