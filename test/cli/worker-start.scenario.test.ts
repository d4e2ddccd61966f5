import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../worker/free-port.ts';
import { startTemporal, type TemporalServer } from '../client/temporal-server.ts';
import { eventually } from '../eventually.ts';
import { NOBODYS_CLUSTER } from '../nobodys-cluster.ts';
import { signalbox } from './process.ts';

/** A worker whose Temporal server comes late, and goes again. */

const bin = fileURLToPath(new URL('../../cli/bin.mjs', import.meta.url));
const ALLOWED_MS = { withinMs: 300_000 };

let folder: string;
let kubeconfig: string;
let port: number;
let server: TemporalServer | undefined;
let child: ChildProcess;
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-start-'));
  port = await freePort();
  // Nobody has to answer there: a worker that does nothing asks the cluster nothing.
  kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, NOBODYS_CLUSTER);
  child = startWorker(port);
});

afterAll(async () => {
  child.kill('SIGKILL');
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

function startWorker(temporalPort: number, settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const started = spawn(process.execPath, [bin, 'worker', '--http-port', '0'], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SIGNALBOX_SANDBOX_DIR: '/nowhere',
      SIGNALBOX_KUBECONFIG: kubeconfig,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface({ input: started.stderr! }).on('line', (line) => lines.push(line));
  return started;
}

type Line = Readonly<Record<string, unknown>>;

const saying = (what: string, isMeant: (line: Line) => boolean): Promise<Line> =>
  eventually(
    what,
    async () => {
      const found = lines.map((line) => JSON.parse(line) as Line).find(isMeant);
      if (!found) throw new Error(`heard ${lines.join('\n')}`);
      return found;
    },
    ALLOWED_MS,
  );

test('a worker waits for Temporal, logs its address, and works when it is available', async () => {
  const { address } = await saying('it listens', ({ msg }) => String(msg).startsWith('listening'));
  const ready = async () => {
    const answer = await fetch(`${address}/readyz`);
    return { status: answer.status, body: await answer.text() };
  };
  await saying('it does not wait in silence', ({ msg }) => msg === 'Temporal does not answer yet');
  await saying('it tries', (line) => line.address === `127.0.0.1:${port}` && line.level === 'warn');
  expect(await ready()).toEqual({ status: 503, body: `worker: not connected to 127.0.0.1:${port}\n` });
  expect(child.exitCode).toBeNull();
  expect(lines.join('\n')).not.toContain('"stack"');
  server = await startTemporal({ port, file: join(folder, 'temporal.db') });
  await saying('it works', ({ msg }) => msg === 'worker started');
  await eventually('it is ready', async () => (await ready()).status === 200, ALLOWED_MS);
}, 600_000);

test('a worker writes logs of the SDK core as lines of its own log', async () => {
  await server?.stop();
  await saying('the core complains', (line) => line.source === 'temporal' && line.level === 'warn');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  server = await startTemporal({ port, file: join(folder, 'temporal.db') });
}, 600_000);

test('a worker whose Temporal namespace does not exist ends with the command that creates it', async () => {
  const { stderr, code } = await signalbox(['worker', '--http-port', '0'], {
    env: {
      ...{ HOME: folder, SIGNALBOX_SANDBOX_DIR: '/nowhere', SIGNALBOX_KUBECONFIG: kubeconfig },
      ...{ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: 'mll' },
    },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('error: The worker failed: Temporal has no namespace mll.\n`temporal operator');
  expect(stderr).toContain('namespace create --namespace mll');
  expect(stderr).not.toContain('"stack"');
  expect(stderr).not.toContain('"level":"warn"');
}, 600_000);

test('a worker ends on a signal', async () => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a worker ends on a signal while it starts', async () => {
  lines.length = 0;
  await server?.stop();
  server = await startTemporal({ isNew: true });
  child = startWorker(server.port);
  await saying('it has yet to start', ({ msg }) => msg === 'search attributes registered');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(lines.filter((line) => (JSON.parse(line) as Line).level === 'error')).toEqual([]);
});
