import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guardian } from '../sandbox/guardian.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const RESULTS = join(ROOT, '.signalbox', 'test-results');

/** One run of jest. */
export interface Pass {
  readonly name: string;
  readonly args: readonly string[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface PassOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Ends it, and all that its tests started, when this process ends, however it ends. */
  readonly guardian?: Guardian;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

export async function runPass(
  { name, args }: Pass,
  given: readonly string[],
  { env, guardian, signal }: PassOptions = {},
): Promise<Counts> {
  console.log(`\n== ${name} tests`);
  await mkdir(RESULTS, { recursive: true });
  const file = join(RESULTS, `${name}.json`);
  await rm(file, { force: true });
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const output = ['--json', `--outputFile=${file}`, '--passWithNoTests'];
  const child = spawn(process.execPath, [...flags, jest, ...args, ...output, ...given], {
    cwd: ROOT,
    // jest's JSON would also go to standard output; its report for people goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
    detached: guardian !== undefined,
  });
  if (guardian !== undefined) guardian.guard(child.pid!);
  signal?.addEventListener('abort', () => child.kill());
  await once(child, 'exit');
  if (guardian !== undefined) killGroup(child.pid!, guardian);
  return readCounts(file, child.exitCode);
}

/** What tests started and did not end, because they failed or were told to stop. */
function killGroup(leader: number, guardian: Guardian): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // nothing is left of it
  }
  guardian.release(leader);
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

/** The last line of a run, and its exit code. */
export function summarize(counts: readonly Counts[]): number {
  const sum = (of: (one: Counts) => number) => counts.reduce((total, one) => total + of(one), 0);
  const failed = sum((one) => one.failed);
  const skipped = sum((one) => one.skipped);
  console.log(
    `\n${sum((one) => one.passed)} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
  );
  return failed === 0 ? 0 : 1;
}
