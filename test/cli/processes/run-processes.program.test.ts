import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../hosted-process.ts', import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Hosted {
  readonly child: ChildProcess;
  readonly said: string[];
  readonly exit: Promise<number | null>;
  /** Settles with the first log line that has the words. */
  line(words: string): Promise<string>;
}

function hosted(behaviour: string): Hosted {
  const child = spawn(process.execPath, [script, behaviour], { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (text) => said.push(text));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const line = (words: string) =>
    new Promise<string>((resolve) => {
      const look = (text: string) => text.includes(words) && resolve(text);
      said.forEach(look);
      lines.on('line', look);
    });
  return { child, said, exit, line };
}

test('a signal stops the parts in order, and the exit code is 0', async () => {
  const { child, exit, line } = hosted('runs');
  await line('"msg":"started"');
  child.kill('SIGTERM');
  await line('"msg":"stopped"');
  expect(await exit).toBe(0);
});

test('a second signal ends what does not stop', async () => {
  const { child, exit, line } = hosted('never stops');
  await line('"msg":"started"');
  child.kill('SIGTERM');
  await line('stopping');
  // Signals that come together are one: npm and the terminal may both send it. So one of these comes late enough.
  const repeating = setInterval(() => child.kill('SIGTERM'), 100);
  expect(await exit).toBe(1);
  clearInterval(repeating);
});

test.each([
  ['fails to start', 'no steam'],
  ['fails later', 'The engine failed: boiler burst'],
])('a part that %s ends the process with a clear message', async (behaviour, message) => {
  const { exit, said } = hosted(behaviour);
  expect(await exit).toBe(1);
  expect(said.join('\n')).toContain(message);
});

test('health and metrics are served', async () => {
  const { line } = hosted('is not ready');
  const { address } = JSON.parse(await line('listening'));
  await line('"msg":"started"');
  const get = async (path: string) => {
    const answer = await fetch(address + path);
    return { status: answer.status, body: await answer.text() };
  };
  expect(await get('/healthz')).toEqual({ status: 200, body: 'ok\n' });
  expect(await get('/readyz')).toEqual({ status: 503, body: 'engine: pressure is low\n' });
  expect(await get('/metrics')).toMatchObject({ status: 200, body: expect.stringContaining('process_cpu') });
  expect(await get('/nothing')).toMatchObject({ status: 404 });
});
