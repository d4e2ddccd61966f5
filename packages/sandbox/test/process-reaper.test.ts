import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { identify, isAlive, type ProcessIdentity } from '../../../runtime/process-identity.mjs';
import { startProcessReaper } from '../process-reaper.ts';
import { until } from './support.ts';

const started: ChildProcess[] = [];

function sleeper(): ProcessIdentity {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  started.push(child);
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('expected sleep to start');
  return identity;
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('the process reaper', () => {
  test('kills its process groups when it is closed, except removed ones', async () => {
    const reaper = await startProcessReaper();
    const [guarded, released] = [sleeper(), sleeper()];
    reaper.add(guarded.pid);
    reaper.add(released.pid);
    reaper.remove(released.pid);
    reaper.close();
    await until('the added process is gone', () => !isAlive(guarded));
    expect(isAlive(released)).toBe(true);
  });

  test('kills its process groups when its parent process is killed', async () => {
    const module = fileURLToPath(new URL('../process-reaper.ts', import.meta.url));
    const script = `
      import { spawn } from 'node:child_process';
      import { startProcessReaper } from ${JSON.stringify(module)};
      const reaper = await startProcessReaper();
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      reaper.add(child.pid);
      console.log(child.pid);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(parent);
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const child = identify(Number(line));
    if (child === undefined) throw new Error(`expected a child's pid, got ${line}`);
    parent.kill('SIGKILL');
    await until('the child is gone', () => !isAlive(child));
  });

  test.each([0, 1, -5, Number.NaN])('refuses the process group %p', async (group) => {
    const reaper = await startProcessReaper();
    expect(() => reaper.add(group)).toThrow('expected the pid of a detached child');
    reaper.close();
  });
});
