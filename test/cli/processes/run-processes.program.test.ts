import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { describeProcess, identify } from '../../../runtime/process-identity.mjs';
import { ask, hosted, killHosted, listenTo } from '../hosted.ts';

const script = fileURLToPath(new URL('../hosted-process.ts', import.meta.url));
const run = (behaviour: string) => hosted('./hosted-process.ts', behaviour);
afterEach(killHosted);

test('a signal stops the parts in order, and the exit code is 0', async () => {
  const { child, exit, line } = run('runs');
  await line('"msg":"started"');
  child.kill('SIGTERM');
  await line('"msg":"stopped"');
  expect(await exit).toBe(0);
});

test('a signal ends parts that are still starting, e.g. because their server does not answer', async () => {
  const { child, exit, line } = run('never starts');
  await line('listening');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});

test('a second signal ends parts that do not stop', async () => {
  const { child, exit, line } = run('never stops');
  await line('"msg":"started"');
  child.kill('SIGTERM');
  await line('stopping');
  // Signals that come together are one: npm and the terminal may both send it. So one of these comes late enough.
  const repeating = setInterval(() => child.kill('SIGTERM'), 100);
  expect(await exit).toBe(1);
  clearInterval(repeating);
});

describe('a process that npx has started through a shell', () => {
  const NPX = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'signalbox'" };
  const hostedPids: number[] = [];
  afterEach(() => {
    for (const pid of hostedPids.splice(0)) if (identify(pid)) process.kill(pid, 'SIGKILL');
  });

  /** Starts a process that calls itself as npx does, and a shell below it, which runs the hosted one. */
  async function hostedBelow(title: string, env: Readonly<Record<string, string>>) {
    const command = `'${process.execPath}' '${script}' runs; exit $?`;
    const launch = `process.title = ${JSON.stringify(title)};
      require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' });`;
    const below = listenTo(
      spawn(process.execPath, ['-e', launch], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    const { pid } = JSON.parse(await below.line('"msg":"begun"')) as { readonly pid: number };
    hostedPids.push(pid);
    await below.line('"msg":"started"');
    return { ...below, pid };
  }

  test.each(['SIGTERM', 'SIGKILL'] as const)('stops in order when npx is ended by %s', async (signal) => {
    const { child, line } = await hostedBelow('npm exec signalbox up', NPX);
    child.kill(signal);
    await line('the npx that started this process has ended');
    await line('"msg":"stopped"');
  });

  test('stops when the shell below npx has ended', async () => {
    const { pid, line } = await hostedBelow('npm exec signalbox up', NPX);
    process.kill(describeProcess(pid)!.parent, 'SIGKILL');
    await line('the npx that started this process has ended');
  });

  test.each([
    [
      'a script of npm',
      'npm run engine',
      { npm_lifecycle_event: 'engine', npm_lifecycle_script: 'signalbox up &' },
    ],
    ['another command of npx', 'npm exec tool', { ...NPX, npm_lifecycle_script: "'tool'" }],
  ])('does not end with %s', async (_what, title, env) => {
    const { said } = await hostedBelow(title, env);
    expect(said.filter((line) => line.includes('this process ends with the npx'))).toEqual([]);
  });
});

test.each([
  ['fails to start', 'no steam'],
  ['fails later', 'The engine failed: boiler burst'],
])('a part that %s ends the process with a clear message', async (behaviour, message) => {
  const { exit, said } = run(behaviour);
  expect(await exit).toBe(1);
  expect(said.join('\n')).toContain(message);
});

test('health and metrics are served', async () => {
  const process = run('is not ready');
  await process.line('"msg":"started"');
  expect(await ask(process, '/healthz')).toEqual({ status: 200, body: 'ok\n' });
  expect(await ask(process, '/readyz')).toEqual({ status: 503, body: 'engine: pressure is low\n' });
  expect(await ask(process, '/metrics')).toMatchObject({
    status: 200,
    body: expect.stringContaining('process_cpu'),
  });
  expect(await ask(process, '/nothing')).toMatchObject({ status: 404 });
});
