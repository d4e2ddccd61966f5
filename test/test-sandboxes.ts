import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ensureSandbox, resetSandbox, SandboxError } from '@signalbox/sandbox';
import { createProgress } from '../cli/print/progress.ts';
import { acquireLock } from '../runtime/lock.mjs';
import { TEST_SANDBOX, TEST_SANDBOX_FOLDER, testSandboxDir } from './test-sandbox.ts';

/** What a sandbox with all gang schedulers takes, and an engine or two beside it. */
const MEMORY = 4 * 2 ** 30;

/** That a machine can carry: two for each core, as many scenarios wait for something most of the time. */
export const SANDBOXES = Number(
  process.env.SIGNALBOX_TEST_SANDBOXES ??
    Math.max(1, Math.min(2 * availableParallelism(), Math.floor(totalmem() / MEMORY))),
);

/**
 * Returns what removes the sandboxes, and lets another run have them. One run has them at a time: another one would remove
 * them while its tests run.
 */
export async function reserveTestSandboxes(folder = TEST_SANDBOX_FOLDER): Promise<() => Promise<void>> {
  const release = await acquireLock(`${folder}.lock`, (holder) => {
    throw new SandboxError(
      `another run of tests (pid ${holder}) uses the sandboxes ${folder}-*`,
      'Wait for its end, or run these tests in another checkout: git worktree add ../signalbox-tests',
    );
  });
  return async () => {
    await removeTestSandboxes(folder);
    await release();
  };
}

/** New ones, for the first so many processes of jest, in a run that has reserved them; none of an earlier run is left. */
export async function openTestSandboxes(count: number): Promise<void> {
  await removeTestSandboxes(TEST_SANDBOX_FOLDER);
  const dirs = Array.from({ length: count }, (_, index) => testSandboxDir(index + 1));
  const report = createProgress(process.stderr);
  try {
    // The first gets the programs that are missing, and says how far it is.
    for (const dir of dirs.slice(0, 1)) await ensureSandbox({ ...TEST_SANDBOX, dir, report });
    await Promise.all(dirs.slice(1).map((dir) => ensureSandbox({ ...TEST_SANDBOX, dir })));
  } finally {
    report.end();
  }
}

async function removeTestSandboxes(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (!existsSync(parent)) return;
  const dirs = readdirSync(parent).filter((name) => name.startsWith(`${basename(folder)}-`));
  await Promise.all(dirs.map((name) => resetSandbox(join(parent, name))));
}
