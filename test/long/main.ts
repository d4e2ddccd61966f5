import { rm } from 'node:fs/promises';
import { resetSandbox, startProcessReaper, stopSandbox } from '@signalbox/sandbox';
import { createProgress } from '../../cli/print/progress.ts';
import { runOnSandboxes } from '../on-sandboxes.ts';
import { type FileCounts, listFiles, onInterrupt, type Pass, runPass, summarize } from '../pass.ts';
import { LONG_SANDBOX_DIR, openLongSandbox } from './sandbox.ts';

/**
 * `npm run test:long`: tests that take many minutes, on a sandbox of their own. Arguments go to jest, e.g. `chaos`. After
 * a failure logs and data stay until the next run. `npm run test:long -- scenarios` runs those that share the sandboxes of
 * `npm test`.
 */

const SCENARIOS = { name: 'long scenarios', projects: ['long-scenarios'] };

const LONG: Pass = {
  name: 'long',
  projects: ['long'],
  args: ['--maxWorkers=1'],
};

/** Walks, properties, lanes, simulation and cosign need no servers, and others have a sandbox or a server of their own. */
const WITHOUT_THIS_SANDBOX = [
  'walks.long.ts',
  'properties.long.ts',
  'lanes.long.ts',
  'simulation.long.ts',
  'python.long.ts',
  'kubeflow-sdk.long.ts',
  'kubeflow-sdk-trainer.long.ts',
  'authenticated.long.ts',
  'cosign.long.ts',
  'archive.long.ts',
  'compose.long.ts',
  'supply-chain.long.ts',
  'pairs.long.ts',
  'recovery.long.ts',
];

const [first, ...rest] = process.argv.slice(2);
process.exitCode =
  first === 'scenarios' ? await runOnSandboxes({ pass: SCENARIOS }, rest) : await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const interrupted = onInterrupt();
  const files = await listFiles(LONG, args);
  const isOnSandbox = files.some(needsServers);
  const exitCode = summarize(
    await (isOnSandbox ? runEach(files, optionsIn(args), interrupted) : run(args, interrupted)),
  );
  if (isOnSandbox) await (exitCode === 0 ? resetSandbox(LONG_SANDBOX_DIR) : stopSandbox(LONG_SANDBOX_DIR));
  return exitCode;
}

/** Each file has a fresh sandbox: the next one fails on what one has installed. None follows one that failed: its logs stay. */
async function runEach(
  files: readonly string[],
  options: readonly string[],
  interrupted: AbortSignal,
): Promise<FileCounts[]> {
  const results: FileCounts[] = [];
  for (const [index, file] of files.entries()) {
    if (needsServers(file)) await prepare();
    results.push(...(await run([file, ...options], interrupted)));
    if (results.every(({ failed }) => failed === 0)) continue;
    for (const other of files.slice(index + 1)) console.log(`not run, because a file failed: ${other}`);
    break;
  }
  return results;
}

/** What follows the patterns of files. */
function optionsIn(args: readonly string[]): readonly string[] {
  const first = args.findIndex((argument) => argument.startsWith('-'));
  return first < 0 ? [] : args.slice(first);
}

function needsServers(file: string): boolean {
  return !WITHOUT_THIS_SANDBOX.some((name) => file.endsWith(name));
}

async function prepare(): Promise<void> {
  const progress = createProgress(process.stderr);
  try {
    await resetSandbox(LONG_SANDBOX_DIR);
    // The logs of the engine, and the diary, of the last run.
    await rm(LONG_SANDBOX_DIR, { recursive: true, force: true });
    await openLongSandbox(progress);
  } finally {
    progress.end();
  }
}

async function run(args: readonly string[], signal: AbortSignal): Promise<FileCounts[]> {
  const reaper = await startProcessReaper();
  try {
    return await runPass(LONG, args, { reaper, signal });
  } finally {
    reaper.close();
  }
}
