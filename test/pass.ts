import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProcessReaper } from '@signalbox/sandbox';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What Node is started with to run jest. */
export const JEST = [
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(import.meta.resolve('jest/bin/jest')),
];

export const RESULTS = join(ROOT, '.signalbox', 'test-results');

/** The seed of property tests that set none (test/jest/environment.ts): another one in each run, the same at a second try. */
const { SIGNALBOX_SEED: SEED = String(randomInt(2 ** 31 - 1)) } = process.env;

/** One run of jest. */
export interface Pass {
  readonly name: string;
  /** Of jest.config.mjs; all if there are none. */
  readonly projects?: readonly string[];
  readonly args?: readonly string[];
}

/** What came of a run of jest; `file` is the path of a test file, or the name of the run when jest itself failed. */
export interface FileCounts {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly passedAtSecondTry?: boolean;
}

/** What we read of the file that `jest --json` writes. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export interface PassOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Ends it, and all that its tests started, when this process ends, however it ends. */
  readonly reaper?: ProcessReaper;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** Whether the arguments of a command say which test files are to run. */
export const namesFiles = (args: readonly string[]): boolean => args.some((arg) => !arg.startsWith('-'));

/** The test files that a run would take. */
export async function listFiles(pass: Pass, given: readonly string[]): Promise<readonly string[]> {
  const args = [...JEST, ...argumentsOf(pass), '--listTests', '--json', ...filesOf(pass, given)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as string[];
}

export async function runPass(
  pass: Pass,
  given: readonly string[],
  { env, reaper, signal }: PassOptions = {},
): Promise<FileCounts[]> {
  const { name } = pass;
  if (signal?.aborted) return [notRun(name)];
  console.log(`\n== ${name} tests (SIGNALBOX_SEED=${SEED} repeats what is random)`);
  await mkdir(RESULTS, { recursive: true });
  // Another run in this checkout writes to a file of its own.
  const file = join(RESULTS, `${name}.${process.pid}.json`);
  const output = ['--json', `--outputFile=${file}`, '--passWithNoTests'];
  const args = [...argumentsOf(pass), ...output, ...filesOf(pass, given)];
  const child = spawn(process.execPath, [...JEST, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Scenarios share a Temporal namespace: workers archive only where a test says so.
    env: { SIGNALBOX_ARCHIVE_STORE: 'none', ...process.env, SIGNALBOX_SEED: SEED, ...env },
    detached: reaper !== undefined,
  });
  if (reaper !== undefined) reaper.add(child.pid!);
  signal?.addEventListener('abort', () => child.kill());
  await once(child, 'exit');
  if (reaper !== undefined) killGroup(child.pid!, reaper);
  const files = await readCounts(file);
  await rename(file, join(RESULTS, `${name}.json`)).catch(() => undefined);
  const isExplained = child.exitCode === 0 || files.some(({ failed }) => failed > 0);
  return isExplained ? files : [...files, notRun(name)];
}

/** An option follows them: jest would take a path for the name of a project. */
const argumentsOf = ({ projects = [], args = [] }: Pass) => [
  ...(projects.length > 0 ? ['--selectProjects', ...projects] : []),
  ...args,
];

/** Which files to run: patterns, or paths where the pass takes those. */
export const filesOf = ({ args = [] }: Pass, given: readonly string[]): readonly string[] =>
  args.includes(BY_PATH) ? given : inCheckout(given);

/** The option of jest by which its arguments are paths of test files. */
export const BY_PATH = '--runTestsByPath';

/**
 * Jest looks for a pattern in the whole path of a file, also above the checkout, which may be in a folder `chaos`. From the
 * first option on, arguments stay as they are: they may be its values.
 */
export function inCheckout(given: readonly string[], root = ROOT): readonly string[] {
  const first = given.findIndex((argument) => argument.startsWith('-'));
  const patterns = first < 0 ? given.length : first;
  const anchored = (pattern: string) => `^${root.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}.*(?:${pattern})`;
  return given.map((argument, index) =>
    index < patterns && !isAbsolute(argument) ? anchored(argument.replace(/^\.\//, '')) : argument,
  );
}

/** Of a run of jest that did not take place, or not to its end. */
export const notRun = (name: string): FileCounts => ({
  file: `${name} tests`,
  passed: 0,
  failed: 1,
  skipped: 0,
});

/** What tests started and did not end, because they failed or were told to stop. */
function killGroup(leader: number, reaper: ProcessReaper): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // nothing is left of it
  }
  reaper.remove(leader);
}

async function readCounts(file: string): Promise<FileCounts[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  return (JSON.parse(text) as Report).testResults.map(({ name, status, assertionResults }) => {
    const count = (...wanted: string[]) =>
      assertionResults.filter((one) => wanted.includes(one.status)).length;
    const failed = count('failed');
    return {
      file: relative(ROOT, name),
      passed: count('passed'),
      // A file that could not be loaded has no tests that failed.
      failed: failed === 0 && status === 'failed' ? 1 : failed,
      skipped: count('pending', 'skipped', 'todo'),
    };
  });
}

/** Aborted when this process is told to stop, which it does not do at once from now on. */
export function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => interrupted.abort(name));
  return interrupted.signal;
}

/** More files than this do not fail by chance. */
const MOST_BY_CHANCE = 5;

/** Whether a test file runs on real servers. All others fail for a reason of their own, also if the next try passes. */
const isOnServers = (file: string) => /\.(scenario\.test|real)\.ts$/.test(file);

/**
 * CI's machines are shared: a test on real servers may fail there because everything stood still for a while. So a file of
 * these that failed in CI runs once more, by itself; one that passes then is marked.
 */
export async function withSecondTry(
  results: readonly FileCounts[],
  runAgain: (files: readonly string[]) => Promise<readonly FileCounts[]>,
): Promise<readonly FileCounts[]> {
  const failed = results
    .filter((one) => one.failed > 0)
    .map(({ file }) => file)
    .filter(isOnServers);
  if (!process.env.CI || failed.length === 0 || failed.length > MOST_BY_CHANCE) return results;
  const again = (await runAgain(failed)).map((one) =>
    one.failed === 0 ? { ...one, passedAtSecondTry: true } : one,
  );
  return [...results.filter(({ file }) => !again.some((one) => one.file === file)), ...again];
}

/**
 * The last lines of a run, and its exit code. With `SIGNALBOX_SECOND_TRY=fails`, as by night, a run fails if a file passed
 * only at its second try.
 */
export function summarize(files: readonly FileCounts[]): number {
  const sum = (of: (one: FileCounts) => number) => files.reduce((total, one) => total + of(one), 0);
  const failed = sum((one) => one.failed);
  const skipped = sum((one) => one.skipped);
  const atSecondTry = files.filter((one) => one.passedAtSecondTry);
  console.log(
    `\n${sum((one) => one.passed)} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
  );
  for (const { file } of atSecondTry) console.log(`passed only at its second try: ${file}`);
  const isHonest = atSecondTry.length === 0 || process.env.SIGNALBOX_SECOND_TRY !== 'fails';
  return failed === 0 && isHonest ? 0 : 1;
}
