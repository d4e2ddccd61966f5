import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogWriter } from '../local-node/log-writer.ts';
import { UNSHARE_FLAGS } from '../local-node/namespaces/mount-namespace.ts';
import { findPidNamespace } from '../local-node/namespaces/pid-namespace.ts';
import { makeRootfs } from '../local-node/namespaces/rootfs.ts';
import { type ContainerProcess, startProcess } from '../local-node/process.ts';
import { type ProcessReaper, startProcessReaper } from '../process-reaper.ts';
import { findSleepers, isAwake, sleeps, uniqueTime } from './sleepers.ts';
import { emptyDir, removeEmptyDirs, until } from './support.ts';

let dir: string;
let reaper: ProcessReaper;
let running: ContainerProcess[] = [];
beforeEach(async () => {
  dir = await emptyDir();
  reaper = await startProcessReaper();
});
afterEach(async () => {
  for (const { kill } of running) kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
  reaper.close();
});
afterAll(removeEmptyDirs);

const FOREVER = 'while :; do sleep 0.1; done';
const never = new AbortController().signal;

/** As root, and as another user; not every machine permits both. */
const namespaces = await Promise.all(
  UNSHARE_FLAGS.map(async (flags) => ({
    flags: flags.join(' '),
    namespace: await findPidNamespace([flags]),
  })),
);

describe.each(namespaces)('a container with a PID namespace of unshare $flags', ({ namespace }) => {
  const permitted = 'why' in namespace ? it.skip : it;

  /** With a volume at a path that this machine lacks. */
  async function start(script: string) {
    if ('why' in namespace) throw new Error(`expected a machine that permits it: ${namespace.why}`);
    const cwd = '/signalbox-nowhere';
    const mounts = [{ target: cwd, source: dir, readOnly: false }];
    const options = { rootfs: await makeRootfs(mounts, join(dir, '.rootfs')), hostname: 'w-0', cwd };
    const log = new LogWriter(join(dir, 'log'));
    const argv = namespace.enter(options, ['/bin/sh', '-c', script]);
    const enter = (command: readonly string[], pid1: number) => namespace.join(pid1, cwd, command);
    const env = { PATH: process.env.PATH ?? '' };
    const container = startProcess({ argv, env, cwd: '/', enter, ownsPids: true }, log, reaper);
    running.push(container);
    return container;
  }
  const logged = (text: string) =>
    until(`${text} is logged`, async () => (await readFile(join(dir, 'log'), 'utf8')).includes(text));

  permitted('runs its command as process 1, whose output and exit code are told', async () => {
    const container = await start('echo "I am $$, $(cat /proc/$$/comm)"; echo bad >&2; exit 7');
    expect(await container.ended).toEqual({ exitCode: 7 });
    const log = await readFile(join(dir, 'log'), 'utf8');
    expect(log).toContain('stdout F I am 1, sh\n');
    expect(log).toContain('stderr F bad\n');
  });

  permitted('is addressed as process 1 by a command beside it, which sees what it sees', async () => {
    await writeFile(join(dir, 'note'), 'from the volume');
    const container = await start(`trap 'echo asked; exit 3' USR1; echo trapped; ${FOREVER}`);
    await logged('trapped');
    const hook = 'echo "$(cat note) $(hostname) $(pwd)" > out; kill -s USR1 1';
    expect(await container.exec(['sh', '-c', hook], never)).toEqual({ exitCode: 0 });
    expect(await container.ended).toEqual({ exitCode: 3 });
    expect(await readFile(join(dir, 'out'), 'utf8')).toBe('from the volume w-0 /signalbox-nowhere\n');
  });

  permitted('takes the commands beside it along when it ends', async () => {
    const container = await start(`trap 'exit 0' USR1; echo trapped; ${FOREVER}`);
    await logged('trapped');
    const { signal } = await container.exec(['sh', '-c', 'kill -s USR1 1; sleep 1000'], never);
    expect(signal).toBe(9);
    expect(await container.ended).toEqual({ exitCode: 0 });
  });

  permitted('passes by SIGTERM without a handler, and ends by SIGKILL with all that it started', async () => {
    const time = uniqueTime();
    const container = await start(`setsid sleep ${time} & ${FOREVER}`);
    await sleeps(time);
    container.kill('SIGTERM');
    expect(await container.exec(['true'], never)).toEqual({ exitCode: 0 });
    container.kill('SIGKILL');
    expect(await container.ended).toEqual({ exitCode: 137, signal: 9 });
    expect(await findSleepers(time)).toEqual([]);
  });

  permitted(
    'tells the signal by which somebody else has killed it, and adds nothing to its log',
    async () => {
      const time = uniqueTime();
      const container = await start(`exec sleep ${time}`);
      process.kill(await sleeps(time), 'SIGKILL');
      expect(await container.ended).toEqual({ exitCode: 137, signal: 9 });
      expect(await readFile(join(dir, 'log'), 'utf8')).toBe('');
    },
  );

  permitted('hears SIGTERM if it has a handler', async () => {
    const container = await start(`trap 'exit 5' TERM; echo trapped; ${FOREVER}`);
    await logged('trapped');
    await container.exec(['true'], never);
    container.kill('SIGTERM');
    expect(await container.ended).toEqual({ exitCode: 5 });
  });

  permitted('does not outlive the process reaper, nor does what runs beside it', async () => {
    const times = [uniqueTime(), uniqueTime()] as const;
    const container = await start(`setsid sleep ${times[0]} & ${FOREVER}`);
    void container.exec(['sleep', times[1]], never);
    await Promise.all(times.map(sleeps));
    reaper.close();
    expect(await container.ended).toMatchObject({ exitCode: 137 });
    await Promise.all(times.map(isAwake));
  });

  permitted('says of a command that is not there that it failed', async () => {
    const container = await start(FOREVER);
    expect(await container.exec(['no-such-program'], never)).toEqual({ exitCode: 127 });
  });
});
