import { mkdirSync } from 'node:fs';
import { ensurePrograms, SandboxError, startProcessReaper } from '@signalbox/sandbox';
import { missingRequirements, RealCluster, removeCluster } from '@signalbox/sandbox/real-node';
import { createProgress } from '../../cli/print/progress.ts';
import { acquireLock } from '../../runtime/lock.mjs';
import {
  type FileCounts,
  namesFiles,
  notRun,
  onInterrupt,
  runPass,
  summarize,
  withSecondTry,
} from '../pass.ts';
import { makeImages } from './images.ts';
import { CLUSTER_DIR, CLUSTER_VARIABLE, NODE_PROGRAMS, NODES } from './nodes.ts';

/**
 * `npm run test:node`: jobs on real nodes, with kubelet, containerd, runc, CNI and CoreDNS. Where they cannot be run it
 * says what is missing, and skips all tests. Arguments go to jest, e.g. a path, which may also name one of those that take
 * long.
 */

const given = process.argv.slice(2);
const PASS = {
  name: 'node',
  projects: namesFiles(given) ? ['node', 'node-long'] : ['node'],
  args: ['--maxWorkers=1'],
};

/** A bound for machines on which nothing works; where all works it takes a third of it. */
const LIMIT_MS = 35 * 60_000;

process.exitCode = await main(given);

async function main(args: readonly string[]): Promise<number> {
  const missing = missingRequirements();
  if (missing.length > 0) {
    console.log(`npm run test:node: skipped\n${missing.map((line) => `  ${line}`).join('\n')}`);
    return summarize(await runPass(PASS, args));
  }
  try {
    await preparePrograms();
    return summarize(await runAlone(args));
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    console.error(`${error.message}\n${error.remedy}`);
    return summarize([notRun(PASS.name)]);
  }
}

/** One run at a time uses the cluster's folder. */
async function runAlone(args: readonly string[]): Promise<readonly FileCounts[]> {
  const interrupted = onInterrupt();
  mkdirSync(CLUSTER_DIR, { recursive: true });
  const release = await acquireLock(`${CLUSTER_DIR}/lock`, (holder) =>
    console.error(`another run (pid ${holder}) uses ${CLUSTER_DIR}: waiting for it`),
  );
  try {
    const limit = AbortSignal.timeout(LIMIT_MS);
    limit.onabort = () => console.error(`stopped: the tests took longer than ${LIMIT_MS / 60_000} min`);
    return await runOnCluster(args, AbortSignal.any([interrupted, limit]));
  } finally {
    await removeCluster(CLUSTER_DIR);
    await release();
  }
}

/** Takes minutes the first time, and leaves nothing to clean up when it is interrupted. */
async function preparePrograms(): Promise<void> {
  const report = createProgress(process.stderr);
  try {
    await ensurePrograms({ names: NODE_PROGRAMS, report });
  } finally {
    report.end();
  }
}

async function runOnCluster(args: readonly string[], signal: AbortSignal): Promise<readonly FileCounts[]> {
  const begin = Date.now();
  const cluster = await start();
  const reaper = await startProcessReaper();
  try {
    console.log(`${NODES.join(' and ')} are ready after ${Math.round((Date.now() - begin) / 1000)} s`);
    const run = (given: readonly string[]) =>
      runPass(PASS, given, { env: { [CLUSTER_VARIABLE]: CLUSTER_DIR }, reaper, signal });
    const results = await run(args);
    return signal.aborted ? results : await withSecondTry(results, run);
  } finally {
    await cluster.stop();
    reaper.close();
  }
}

async function start(): Promise<RealCluster> {
  const report = createProgress(process.stderr);
  try {
    await removeCluster(CLUSTER_DIR);
    report.step('making images');
    await makeImages(CLUSTER_DIR);
    return await RealCluster.start({ dir: CLUSTER_DIR, nodes: NODES, report });
  } finally {
    report.end();
  }
}
