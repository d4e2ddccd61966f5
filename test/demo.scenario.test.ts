import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxStatus } from '@signalbox/sandbox';

const MAIN = fileURLToPath(new URL('../demo/main.ts', import.meta.url));
const run = promisify(execFile);

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-demo-'));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

const demo = (...args: string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', SIGNALBOX_SANDBOX_DIR: dir },
  });

it('the demo trains through a crash of its engine, prints the timeline, and leaves nothing running', async () => {
  const { stdout } = await demo().catch((error: { stdout?: string }) => {
    throw new Error(error.stdout, { cause: error });
  });
  const losses = [...stdout.matchAll(/loss=([\d.]+)/g)].map(([, loss]) => Number(loss));
  expect(losses.length).toBeGreaterThan(5);
  expect(losses.at(-1)).toBeLessThan(losses[0]! / 2);
  const story = [
    'Pending.',
    'all 3 pods are ready',
    'killed with SIGKILL',
    'the engine is back',
    'Completed',
  ];
  const places = story.map((part) => stdout.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(stdout).toMatch(/PyTorchJob default\/ddp-node: Completed, attempt 1, 0 restarts/);
  expect(stdout).toMatch(/Temporal UI +http:\/\/127\.0\.0\.1:\d+/);
  expect(sandboxStatus(dir).running).toBe(false);
});

it('the demo prints help, and refuses unknown options', async () => {
  expect((await demo('--help')).stdout).toContain('--keep');
  await expect(demo('--fast')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('--fast') });
});
