import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeTemporal } from '../cli/fake-temporal.ts';
import { BIN } from '../cli/process.ts';
import { NOBODYS_CLUSTER } from '../nobodys-cluster.ts';
import { installBuiltPackage } from '../scripts/built-package.ts';
import { type Spread, spreadOf } from './spread.ts';

/**
 * `npm run bench:cli`: processor time of commands, and the time to their first word, from the checkout and from the
 * published package, beside kubectl, which asks no server here, and Node without a program. The server is a made-up Temporal
 * with one job that runs; no cluster answers. So almost all of the time is the command's own.
 */

const RUNS = 15;
/** They fill the caches of compiled code. */
const UNCOUNTED = 2;
/** For the package, on a quiet machine. */
const TARGET = { cpu: 150, firstWord: 150 };

const MANIFEST = 'examples/pytorch/ddp-node/job.yaml';
const COMMANDS = [
  ['get', 'live'],
  ['list'],
  ['history', 'live'],
  ['submit', MANIFEST],
  ['validate', MANIFEST],
  ['--help'],
  ['--version'],
];
const REFERENCES = {
  kubectl: ['kubectl', 'version', '--client'],
  node: [process.execPath, '--eval', 'console.log(0)'],
};

interface Measured {
  /** User and system time of the process, in milliseconds. */
  readonly cpu: number;
  readonly firstWord: number;
}

const server = await startFakeTemporal();
const installed = installBuiltPackage({ without: '@signalbox' });
const kubeconfig = join(installed, 'kubeconfig');
writeFileSync(kubeconfig, NOBODYS_CLUSTER);
const programs = { checkout: BIN, package: join(installed, 'cli/bin.mjs') };
try {
  const kubectl = await report('kubectl', REFERENCES.kubectl);
  await report('node', REFERENCES.node, kubectl);
  for (const args of COMMANDS)
    for (const [name, program] of Object.entries(programs))
      await report(`${args[0]} ${name}`, [process.execPath, program, ...args], kubectl);
} finally {
  server.stop();
  rmSync(installed, { recursive: true });
}

/** Prints what a command takes. Returns its processor time. */
async function report(name: string, command: readonly string[], kubectl?: number): Promise<number> {
  const runs: Measured[] = [];
  for (let run = 0; run < UNCOUNTED + RUNS; run++) runs.push(await measure(command));
  const counted = runs.slice(UNCOUNTED);
  const cpu = spreadOf(counted.map((run) => run.cpu));
  const firstWord = spreadOf(counted.map((run) => run.firstWord));
  const isMet = !name.endsWith('package') || (cpu.median < TARGET.cpu && firstWord.median < TARGET.firstWord);
  const ratio = kubectl === undefined ? '' : `, ${(cpu.median / kubectl).toFixed(1)} times kubectl`;
  const figures = `processor ${inMs(cpu)}${ratio}, first word ${inMs(firstWord)}`;
  console.log(`${name.padEnd(18)} ${figures}${isMet ? '' : '  more than the target'}`);
  return cpu.median;
}

/** The shell's `time` measures the process alone. */
function measure(command: readonly string[]): Promise<Measured> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" 2>/dev/null';
  const env = {
    ...{
      PATH: process.env.PATH,
      SIGNALBOX_SANDBOX_DIR: '/nowhere',
      XDG_CACHE_HOME: join(installed, 'cache'),
    },
    ...{ TEMPORAL_ADDRESS: server.address, SIGNALBOX_KUBECONFIG: kubeconfig },
  };
  const begin = performance.now();
  const child = spawn('bash', ['--norc', '-c', script, 'bash', ...command], {
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
      if (code !== 0) reject(new Error(`${command.join(' ')} ended with ${code}`));
      else if (Number.isNaN(firstWord)) reject(new Error(`${command.join(' ')} printed nothing`));
      else resolve({ cpu: user! + system!, firstWord });
    });
  });
}

function inMs({ median, min, max }: Spread): string {
  return `${median.toFixed(0)} ms (${min.toFixed(0)} to ${max.toFixed(0)})`;
}
