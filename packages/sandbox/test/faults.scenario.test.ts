import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isAlive } from '../../../runtime/process-identity.mjs';
import { ensureSandbox, restartComponent, sandboxStatus } from '../sandbox.ts';
import { emptyDir, FIRST_RUN_MS, removeSandbox, stateOf, throwaway, until } from './support.ts';

let dir: string;

beforeEach(async () => {
  dir = await emptyDir();
});

afterEach(async () => {
  await removeSandbox(dir);
});

test(
  'two concurrent `up` share one sandbox; killing its supervisor leaves no process; the next `up` cleans up, with a note',
  async () => {
    const both = await Promise.all([
      ensureSandbox({ ...throwaway, dir }),
      ensureSandbox({ ...throwaway, dir }),
    ]);
    expect(both.map(({ started }) => started).sort()).toEqual([false, true]);
    const { supervisor, components, ports } = stateOf(dir);
    await expect(restartComponent(dir, 'kwok')).rejects.toThrow(
      'kwok: not part of this sandbox, which has etcd',
    );

    process.kill(supervisor.pid, 'SIGKILL');
    await until('no component is alive', () =>
      components.every(({ process: child }) => child !== undefined && !isAlive(child)),
    );
    expect(sandboxStatus(dir)).toMatchObject({ running: false, last: { phase: 'ready' } });

    const notes: string[] = [];
    const report = {
      step: () => undefined,
      detail: () => undefined,
      note: (text: string) => notes.push(text),
    };
    expect(await ensureSandbox({ dir, report })).toMatchObject({ started: true });
    expect(notes).toEqual([expect.stringContaining(`(pid ${supervisor.pid}) ended without being stopped`)]);
    expect(stateOf(dir).ports).toEqual(ports);
  },
  FIRST_RUN_MS,
);

test('an error about a requested port in use names the port and the option that requested it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await expect(ensureSandbox({ ...throwaway, dir, ports: { temporal: port } })).rejects.toMatchObject({
    message: expect.stringContaining(`port ${port}: asked for with --temporal-port`),
    remedy: expect.stringContaining('lsof'),
  });
  other.close();
});

test(
  'an error about a component that cannot start has the last lines of its log',
  async () => {
    await mkdir(join(dir, 'data'));
    await writeFile(join(dir, 'data', 'etcd'), 'a file where etcd wants a folder');
    await expect(ensureSandbox({ ...throwaway, dir })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^etcd: exit code \d+ before it was ready. Last lines of .*etcd\.log:\n.*not a directory/s,
      ),
      remedy: expect.stringContaining('reset'),
    });
    expect(sandboxStatus(dir)).toMatchObject({ running: false, last: { phase: 'failed' } });
  },
  FIRST_RUN_MS,
);

test('an error about a damaged state file names the file, and `reset` repairs it', async () => {
  await writeFile(join(dir, 'state.json'), '{"version": 1, "phase": "rea');
  await expect(ensureSandbox({ ...throwaway, dir })).rejects.toMatchObject({
    message: expect.stringContaining('state.json'),
    remedy: expect.stringContaining('signalbox sandbox reset'),
  });
});
