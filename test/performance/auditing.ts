import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { listParts } from '../../record/index/list-parts.ts';
import { updateIndexFrom } from '../../record/index/update-index.ts';
import { BIN } from '../cli/process.ts';
import { madeUpSource } from '../record/index/made-up-jobs.ts';
import { type Spread, spreadOf } from './spread.ts';

/**
 * `npm run bench:audit`: how long `signalbox audit` takes, from its start to its end, over an index of 100,000 archived
 * jobs. The rows are made by the code that makes them of archives, from made-up jobs; no archives are written.
 */

const JOBS = 100_000;
/** What an archiver appends at a time on a busy day. */
const LATEST = 3;
const RUNS = 9;
const TARGET_MS = 3_000;

const QUESTIONS: readonly (readonly string[])[] = [
  ['--by', 'ana', '--since', '2026-09-06'],
  ['failures', '--count', 'reason,node'],
  ['--phase', 'failed', '--node', 'gpu-5', '--since', '2026-09-01'],
  ['--waited', '1h', '--since', '2026-09-06'],
  ['restarts', '--count', 'rule,node'],
  ['--job', 'ml/train-30000'],
  ['jobs', '-o', 'csv'],
  ['sql', 'SELECT submitted_by, sum(gpus * run_seconds) / 3600 AS gpu_hours FROM jobs GROUP BY ALL'],
];

const directory = mkdtempSync(join(tmpdir(), 'signalbox-bench-audit-'));
try {
  await makeIndex();
  for (const question of QUESTIONS) report(question);
} finally {
  rmSync(directory, { recursive: true });
}

async function makeIndex(): Promise<void> {
  const store = new FileArchiveStore(directory);
  const first = await timeOf(() => updateIndexFrom(store, madeUpSource(JOBS - LATEST)));
  const latest = await timeOf(() => updateIndexFrom(store, madeUpSource(JOBS)));
  const parts = await listParts(store);
  const sizes = await Promise.all(parts.map(async ({ key }) => (await store.read(key))?.length ?? 0));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  console.log(`${JOBS} jobs: ${parts.length} files, ${megabytes.toFixed(1)} MB`);
  console.log(`made in ${inMs(first)}; an update by ${LATEST} jobs took ${inMs(latest)}`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function report(question: readonly string[]): void {
  const args = [BIN, 'audit', ...question, '--archived', '--archive-dir', directory];
  const times = Array.from({ length: RUNS }, () => {
    const begin = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { maxBuffer: 2 ** 28, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - begin;
  });
  const spread: Spread = spreadOf(times);
  const isMet = spread.max < TARGET_MS;
  const figures = `${inMs(spread.median)} (${inMs(spread.min)} to ${inMs(spread.max)})`;
  console.log(`audit ${question.join(' ')}: ${figures}${isMet ? '' : '  more than the target'}`);
}

function inMs(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}
