import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunnablePod } from '../local-node/fields.ts';
import type { FindStored } from '../local-node/references.ts';
import type { Stored } from '../local-node/stored-objects.ts';
import { type Files, writeAtomically } from '../local-node/volumes/atomic-files.ts';
import type { Volume } from '../local-node/volumes/fields.ts';
import { setUpVolume } from '../local-node/volumes/volume-kinds.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

let dir: string;
beforeEach(async () => {
  dir = await emptyDir();
});
afterAll(removeEmptyDirs);

const base64 = (text: string) => Buffer.from(text).toString('base64');

const STORED: Readonly<Record<string, Partial<Stored>>> = {
  'configmap mpi': {
    data: { hostfile: 'w-0 slots=1\n', 'run.sh': 'echo hi' },
    binaryData: { raw: base64('\0x') },
  },
  'secret ssh': { data: { 'ssh-privatekey': base64('private'), 'ssh-publickey': base64('public') } },
};
const find: FindStored = async (kind, name) => STORED[`${kind} ${name}`] as Stored | undefined;

const pod: RunnablePod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', labels: { role: 'worker', job: 'm "1"' } },
  spec: { containers: [{ name: 'main', resources: { limits: { memory: '2Gi' }, requests: undefined } }] },
};

function setUp(volume: Omit<Volume, 'name'>) {
  const addresses = { podIP: '127.80.0.2', hostIP: '127.0.0.1' };
  return setUpVolume(
    { name: 'v', ...volume },
    { dir: join(dir, 'v'), find, facts: { pod, addresses, allocatable: {} } },
  );
}

/** Content and mode of the files that a container would see in a volume, by path. */
async function shown(folder: string, prefix = ''): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    if (name.startsWith('..')) continue;
    const found = await stat(join(folder, name));
    if (found.isDirectory()) Object.assign(seen, await shown(join(folder, name), `${prefix}${name}/`));
    else
      seen[prefix + name] =
        `${(found.mode & 0o777).toString(8)} ${await readFile(join(folder, name), 'utf8')}`;
  }
  return seen;
}

describe('a volume of files', () => {
  it.each<[string, Omit<Volume, 'name'>, Record<string, string>]>([
    [
      'has all keys of a ConfigMap',
      { configMap: { name: 'mpi' } },
      { hostfile: '644 w-0 slots=1\n', 'run.sh': '644 echo hi', raw: '644 \0x' },
    ],
    [
      'has the keys that items name, at their paths and with their modes',
      {
        configMap: {
          name: 'mpi',
          defaultMode: 0o555,
          items: [
            { key: 'run.sh', path: 'bin/run' },
            { key: 'hostfile', path: 'hostfile', mode: 0o444 },
          ],
        },
      },
      { 'bin/run': '555 echo hi', hostfile: '444 w-0 slots=1\n' },
    ],
    [
      'has the values of a Secret in clear, under the mode of the volume',
      {
        secret: { secretName: 'ssh', defaultMode: 0o600, items: [{ key: 'ssh-privatekey', path: 'id_rsa' }] },
      },
      { id_rsa: '600 private' },
    ],
    [
      'is empty for an optional ConfigMap that is missing',
      { configMap: { name: 'nope', optional: true } },
      {},
    ],
    [
      'goes without an optional key',
      { configMap: { name: 'mpi', optional: true, items: [{ key: 'nope', path: 'nope' }] } },
      {},
    ],
    [
      'tells a pod about itself',
      {
        downwardAPI: {
          items: [
            { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'name', fieldRef: { fieldPath: 'metadata.name' }, mode: 0o400 },
            {
              path: 'memory',
              resourceFieldRef: { containerName: 'main', resource: 'limits.memory', divisor: '1Mi' },
            },
          ],
        },
      },
      { labels: '644 job="m \\"1\\""\nrole="worker"', name: '400 p', memory: '644 2048' },
    ],
    [
      'may be put together of several sources',
      {
        projected: {
          defaultMode: 0o440,
          sources: [
            { configMap: { name: 'mpi', items: [{ key: 'hostfile', path: 'hosts' }] } },
            { secret: { name: 'ssh', items: [{ key: 'ssh-publickey', path: 'key.pub' }] } },
          ],
        },
      },
      { hosts: '440 w-0 slots=1\n', 'key.pub': '440 public' },
    ],
  ])('%s', async (_what, volume, expected) => {
    const source = await setUp(volume);
    expect(source.readOnly).toBe(true);
    expect(await shown(source.path)).toEqual(expected);
  });

  it.each<[Omit<Volume, 'name'>, string]>([
    [{ configMap: { name: 'later' } }, 'configmap "later" not found'],
    [{ secret: { secretName: 'later' } }, 'secret "later" not found'],
    [
      { configMap: { name: 'mpi', items: [{ key: 'nope', path: 'x' }] } },
      'configmap references non-existent config key: nope',
    ],
    [
      { secret: { secretName: 'ssh', items: [{ key: 'nope', path: 'x' }] } },
      'references non-existent secret key: nope',
    ],
    [{ nfs: { server: 's', path: '/' } }, 'no volumes of kind nfs, only emptyDir, hostPath, configMap'],
    [{ projected: { sources: [{ serviceAccountToken: {} }] } }, 'projects no serviceAccountToken'],
  ])('waits: %j', async (volume, message) => {
    await expect(setUp(volume)).rejects.toThrow(message);
  });

  const files = (contents: Record<string, string>): Files =>
    new Map(
      Object.entries(contents).map(([path, text]) => [path, { content: Buffer.from(text), mode: 0o644 }]),
    );

  it('changes atomically, by a link, and keeps no old files', async () => {
    await writeAtomically(dir, files({ a: '1', b: '1', 'sub/c': '1' }));
    const before = await readlink(join(dir, '..data'));
    await writeAtomically(dir, files({ a: '2', 'sub/d': '2' }));
    expect(await shown(dir)).toEqual({ a: '644 2', 'sub/d': '644 2' });
    expect(await readlink(join(dir, 'a'))).toBe('..data/a');
    expect(await readdir(dir)).not.toContain(before);
  });

  it('stays unchanged if nothing has changed', async () => {
    await writeAtomically(dir, files({ a: '1' }));
    const before = await readlink(join(dir, '..data'));
    await writeAtomically(dir, files({ a: '1' }));
    expect(await readlink(join(dir, '..data'))).toBe(before);
  });
});

describe('an emptyDir', () => {
  it('is writable for all users, and keeps its content', async () => {
    const { path } = await setUp({ emptyDir: {} });
    expect((await stat(path)).mode & 0o777).toBe(0o777);
    await writeFile(join(path, 'kept'), '');
    await chmod(path, 0o700);
    await setUp({ emptyDir: { medium: 'Memory' } });
    expect([await readdir(path), (await stat(path)).mode & 0o777]).toEqual([['kept'], 0o700]);
  });
});

describe('a hostPath', () => {
  beforeEach(async () => {
    await mkdir(join(dir, 'folder'));
    await writeFile(join(dir, 'file'), '');
    await symlink('folder', join(dir, 'link'));
  });

  it.each([
    ['', 'folder', 'folder'],
    ['', 'missing', 'folder'],
    ['', 'file', 'file'],
    ['DirectoryOrCreate', 'folder', 'folder'],
    ['DirectoryOrCreate', 'missing/deep', 'folder'],
    ['DirectoryOrCreate', 'file', 'is not a directory'],
    ['Directory', 'link', 'folder'],
    ['Directory', 'missing', 'is not a directory'],
    ['FileOrCreate', 'missing', 'file'],
    ['File', 'file', 'file'],
    ['File', 'folder', 'is not a file'],
    ['Socket', 'file', 'is not a socket'],
  ])('of type %j at a %s: %s', async (type, name, expected) => {
    const path = join(dir, name);
    const outcome = await setUp({ hostPath: { path, type } }).then(
      async (source) => ((await stat(source.path)).isDirectory() ? 'folder' : 'file'),
      (error: Error) => error.message,
    );
    expect(outcome).toBe(
      expected.startsWith('is') ? `hostPath type check failed: ${path} ${expected}` : expected,
    );
  });
});
