import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, test } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { BIN, signalbox } from './process.ts';

/** What opens pages in the browser of this machine: a program on the PATH notes what it is asked to open. */

let folder: string;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  await writeFile(join(folder, opener), `#!/bin/sh\necho "$1" >> ${join(folder, 'opened')}\n`);
  await chmod(join(folder, opener), 0o755);
  env = { PATH: `${folder}:${process.env.PATH}` };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const opened = (count: number) =>
  eventually('it is opened', async () => {
    const lines = (await readFile(join(folder, 'opened'), 'utf8').catch(() => '')).split('\n').slice(0, -1);
    return lines.length === count && lines;
  });

test.each([
  ['get', '/jobs/ml/train?run=-1'],
  ['why', '/jobs/ml/train?run=-1#why'],
  ['history', '/jobs/ml/train?run=-1#ledger'],
  ['evidence', '/jobs/ml/train?run=-1#failures'],
  ['report', '/jobs/ml/train?run=-1'],
  ['cost', '/jobs/ml/train?run=-1#uses'],
])(
  '%s --web opens the page of the job where it says the same, and prints the address',
  async (command, path) => {
    // Of an archived job no server is asked.
    const ended = await signalbox([command, 'ml/train@-1', '--archived', '--web'], {
      env: { ...env, SIGNALBOX_CONSOLE_URL: 'https://console.example' },
    });
    expect(ended).toMatchObject({ code: 0, stdout: `https://console.example${path}\n` });
    expect(await opened(1)).toEqual([`https://console.example${path}`]);
  },
);

it('--web of several jobs opens each, by default on this machine', async () => {
  const { stdout } = await signalbox(['get', 'a', 'b', '-n', 'ml', '--archived', '--web'], { env });
  const addresses = ['http://127.0.0.1:8470/jobs/ml/a', 'http://127.0.0.1:8470/jobs/ml/b'];
  expect(stdout).toBe(`${addresses.join('\n')}\n`);
  expect((await opened(2)).toSorted()).toEqual(addresses);
});

it('without a program that opens addresses, the address is printed all the same', async () => {
  const node = join(process.execPath, '..');
  const ended = await signalbox(['get', 'ml/a', '--archived', '--web'], { env: { PATH: node } });
  expect(ended).toMatchObject({ code: 0, stdout: 'http://127.0.0.1:8470/jobs/ml/a\n' });
});

it('--web goes with no option that is about another output', async () => {
  const [watched, many, unsubmitted] = await Promise.all([
    signalbox(['get', 'a', '--web', '--watch'], { env }),
    signalbox(['report', '--since', '2d', '--web'], { env }),
    signalbox(['why', '-f', 'job.yaml', '--web'], { env }),
  ]);
  expect(watched.stderr).toContain('Expected --web or --watch, got both.');
  expect(many.stderr).toContain('--web is about one job.');
  expect(unsubmitted.stderr).toContain('--web: a job that is not submitted has no page.');
});

it('console --open opens the address at which it listens', async () => {
  const child = spawn(process.execPath, [BIN, 'console', '--port', '0', '--open', '--http-port', '0'], {
    env: {
      ...env,
      SIGNALBOX_SANDBOX_DIR: '/nowhere',
      XDG_CONFIG_HOME: '/nowhere',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
    },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const [address] = await opened(1);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${address}/submit`)).status).toBe(200);
  } finally {
    child.kill();
    await ended;
  }
});
