import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeTemporal } from '../cli/fake-temporal.ts';
import { BIN } from '../cli/process.ts';
import { installBuiltPackage } from '../scripts/built-package.ts';
import { type Spread, spreadOf } from './spread.ts';

/**
 * `npm run bench:cli`: processor time of commands, and the time to their first word, from the checkout and from the
 * published package. The server is a made-up Temporal with one job, so almost all of the time is the command's own.
 */

const RUNS = 15;
/** They fill Node's compile cache. */
const UNCOUNTED = 2;
/** For the package. */
const TARGET = { cpu: 300, firstWord: 350 };

const MANIFEST = 'examples/pytorch/ddp-node/job.yaml';
const COMMANDS = [
  ['get', 'live'],
  ['list'],
  ['history', 'live'],
  ['submit', MANIFEST],
  ['validate', MANIFEST],
  ['--help'],
];

interface Measured {
  /** User and system time of the process, in milliseconds. */
  readonly cpu: number;
  readonly firstWord: number;
}

const server = await startFakeTemporal();
const installed = installBuiltPackage();
const programs = { checkout: BIN, package: join(installed, 'cli/bin.mjs') };
try {
  for (const args of COMMANDS) {
    for (const [name, program] of Object.entries(programs)) await report(name, program, args);
  }
} finally {
  server.stop();
  rmSync(installed, { recursive: true });
}

async function report(name: string, program: string, args: readonly string[]): Promise<void> {
  const runs: Measured[] = [];
  for (let run = 0; run < UNCOUNTED + RUNS; run++) runs.push(await measure([program, ...args]));
  const counted = runs.slice(UNCOUNTED);
  const cpu = spreadOf(counted.map((run) => run.cpu));
  const firstWord = spreadOf(counted.map((run) => run.firstWord));
  const isMet = name === 'checkout' || (cpu.median < TARGET.cpu && firstWord.median < TARGET.firstWord);
  const figures = `processor ${inMs(cpu)}, first word ${inMs(firstWord)}`;
  console.log(`${args[0]!.padEnd(9)} ${name.padEnd(9)} ${figures}${isMet ? '' : '  more than the target'}`);
}

/** The shell's `time` measures the process alone. */
function measure(command: readonly string[]): Promise<Measured> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" 2>/dev/null';
  const env = { PATH: process.env.PATH, SIGNALBOX_SANDBOX_DIR: '/nowhere', TEMPORAL_ADDRESS: server.address };
  const begin = performance.now();
  const child = spawn('bash', ['--norc', '-c', script, 'bash', process.execPath, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let firstWord = Number.NaN;
  let times = '';
  child.stdout.once('data', () => {
    firstWord = performance.now() - begin;
  });
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    times += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const [user, system] = times.split(' ').map((seconds) => Number(seconds) * 1000);
      if (code === 0) resolve({ cpu: user! + system!, firstWord });
      else reject(new Error(`${command.join(' ')} ended with ${code}`));
    });
  });
}

function inMs({ median, min, max }: Spread): string {
  return `${median.toFixed(0)} ms (${min.toFixed(0)} to ${max.toFixed(0)})`;
}
