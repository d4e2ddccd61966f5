import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import { createProgress } from '../cli/print/progress.ts';
import { TEST_SANDBOX, TEST_SANDBOX_FOLDER, testSandboxDir } from './test-sandbox.ts';

/** What a sandbox with all gang schedulers takes, and an engine or two beside it. */
const MEMORY = 4 * 2 ** 30;

/** That a machine can carry: two for each core, as many scenarios wait for something most of the time. */
export const SANDBOXES = Number(
  process.env.SIGNALBOX_TEST_SANDBOXES ??
    Math.max(1, Math.min(2 * availableParallelism(), Math.floor(totalmem() / MEMORY))),
);

/** New ones, for the first so many processes of jest; none of an earlier run is left. */
export async function openTestSandboxes(count: number): Promise<void> {
  await removeTestSandboxes();
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

export async function removeTestSandboxes(): Promise<void> {
  const parent = dirname(TEST_SANDBOX_FOLDER);
  if (!existsSync(parent)) return;
  const dirs = readdirSync(parent).filter((name) => name.startsWith(`${basename(TEST_SANDBOX_FOLDER)}-`));
  await Promise.all(dirs.map((name) => resetSandbox(join(parent, name))));
}
