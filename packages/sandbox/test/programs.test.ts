import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gangProgramsSchema } from '../gang-schedulers.ts';
import { download } from '../programs/download.ts';
import { ensurePrograms } from '../programs/ensure-programs.ts';
import { ensureModuleFiles } from '../programs/module-files.ts';
import {
  type Origins,
  officialOrigins,
  type Platform,
  type Program,
  thisPlatform,
} from '../programs/program.ts';
import { programs } from '../programs/registry.ts';
import { volcanoCustomResources } from '../programs/volcano/program.ts';
import { silent } from '../report.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

const PROGRAM = '#!/bin/sh\necho kwok version v0.7.0 go1.26 \\(linux/amd64\\)\n';
const platforms: Platform[] = (['linux', 'darwin'] as const).flatMap((os) =>
  (['amd64', 'arm64'] as const).map((arch) => ({ os, arch })),
);

/** Published as images only, or not at all. */
const onlyBuilt = [
  ...Object.keys(gangProgramsSchema.shape),
  'training-operator',
  'mpi-operator',
  'jobset',
  'trainer',
  'kueue',
  'karpenter',
  'temporal-ui',
  'gitops-health',
];

afterAll(removeEmptyDirs);

describe('a version is read from what each program prints', () => {
  test.each<[Program, string, string]>([
    [programs.temporal, 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)\n', '1.5.1'],
    [programs.etcd, 'etcd Version: 3.6.5\nGit SHA: Not provided\nGo Version: go1.26.8\n', '3.6.5'],
    [programs['kube-apiserver'], 'Kubernetes v1.36.3\n', '1.36.3'],
    [programs.kwok, 'kwok version v0.7.0 go1.26.8 (linux/amd64)\n', '0.7.0'],
    [programs['vc-scheduler'], 'API Version: v1alpha1\nVersion: v1.10.0\nGit SHA: Not provided.\n', '1.10.0'],
    [programs['scheduler-plugins-scheduler'], 'Kubernetes v0.32.7\n', '0.32.7'],
    [programs.helm, 'v3.22.0+g1a2b3c4\n', '3.22.0'],
    [programs.actionlint, '1.7.12\ninstalled by building from source\n', '1.7.12'],
    [programs.cosign, 'GitVersion:    v3.1.3\nGitCommit:     unknown\n', '3.1.3'],
    [programs.crane, '0.22.1\n', '0.22.1'],
    [programs.kubectl, 'Client Version: v1.37.0\nKustomize Version: v5.8.1\n', '1.37.0'],
    [programs['temporal-server'], 'temporal version 1.32.1\n', '1.32.1'],
    [programs['temporal-sql-tool'], 'temporal-sql-tool version 1.32.1\n', '1.32.1'],
    [programs['docker-compose'], 'Docker Compose version v2.40.3\n', '2.40.3'],
  ])('%#', (program, output, version) => {
    expect(program.parseVersion(output)).toBe(version);
    expect(program.parseVersion('command not found')).toBeUndefined();
  });
});

/** Published or used on Linux only. */
const isOfServers = ({ name }: { readonly name: string }) => /^(kube-|kubelet|coredns)/.test(name);

describe('the address of every published program', () => {
  test.each(platforms)('is known for $os $arch', (platform) => {
    for (const program of Object.values(programs).filter(({ name }) => !onlyBuilt.includes(name))) {
      const release = program.release(platform, officialOrigins);
      if (isOfServers(program) && platform.os === 'darwin') expect(release).toBeUndefined();
      else expect(release?.url).toContain(program.version);
    }
  });
});

describe('a program on PATH', () => {
  test('is used when it has the right version', async () => {
    const path = await folderWith('kwok', PROGRAM);
    expect(await ensurePrograms({ names: ['kwok'], path, cache: await emptyDir() })).toEqual({
      kwok: join(path, 'kwok'),
    });
  });

  test('is ignored when it has another version', async () => {
    const path = await folderWith('kwok', PROGRAM.replace('0.7.0', '0.6.0'));
    const cache = await cacheWith('kwok');
    const { kwok } = await ensurePrograms({ names: ['kwok'], path, cache });
    expect(kwok.startsWith(cache)).toBe(true);
  });
});

describe('a release', () => {
  let server: Server;
  let origins: Origins;
  let published = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url?.endsWith('.sha256')) response.end(published);
      else if (request.url?.includes('/tags/')) response.end(JSON.stringify({ assets: [] }));
      else response.end(PROGRAM);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    origins = { github: origin, githubApi: origin, kubernetes: origin, helm: origin };
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test('that matches its published checksum is kept, ready to run', async () => {
    published = createHash('sha256').update(PROGRAM).digest('hex');
    const draft = join(await emptyDir(), 'kube-scheduler');
    await download(release(), draft, silent);
    expect(await readFile(draft, 'utf8')).toBe(PROGRAM);
  });

  test('that does not match is refused and deleted', async () => {
    published = '0'.repeat(64);
    const folder = await emptyDir();
    await expect(download(release(), join(folder, 'kube-scheduler'), silent)).rejects.toThrow(
      /expected SHA-256 0000.*got [0-9a-f]{64}/s,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('is downloaded in the order probe, checksum, cache', async () => {
    if (thisPlatform().os !== 'linux') return; // server programs are published for Linux only
    published = createHash('sha256').update(PROGRAM).digest('hex');
    const cache = await emptyDir();
    const { 'kube-scheduler': path } = await ensurePrograms({
      names: ['kube-scheduler'],
      cache,
      origins,
      path: '',
    });
    expect(await readFile(path, 'utf8')).toBe(PROGRAM);
    expect(await readdir(join(cache, 'programs'))).toHaveLength(1);
  });

  test('without a published checksum is not used', async () => {
    const kwok = programs.kwok.release(thisPlatform(), origins);
    if (kwok === undefined) throw new Error('expected a release of kwok');
    await expect(download(kwok, join(await emptyDir(), 'kwok'), silent)).rejects.toThrow(
      'expected the SHA-256',
    );
  });

  function release() {
    const found = programs['kube-scheduler'].release({ os: 'linux', arch: 'amd64' }, origins);
    if (found === undefined) throw new Error('expected a release of kube-scheduler');
    return found;
  }
});

describe('without Go', () => {
  const before = process.env.PATH;
  beforeAll(() => {
    process.env.PATH = '';
  });
  afterAll(() => {
    process.env.PATH = before;
  });

  test('and without a connection, the error says what to install', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const origins = { github: nowhere, githubApi: nowhere, kubernetes: nowhere, helm: nowhere };
    const asked = ensurePrograms({ names: ['etcd'], cache: await emptyDir(), origins });
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining('etcd 3.6.5'),
      remedy: expect.stringContaining('go.dev/dl'),
    });
  });

  test('a program on PATH does not help if it prints no version', async () => {
    const asked = ensurePrograms({ names: ['training-operator'], cache: await emptyDir() });
    await expect(asked).rejects.toMatchObject({
      message: 'training-operator 1.9.3: not downloadable from here, and Go to build it is not installed',
      remedy: expect.not.stringContaining('on PATH'),
    });
  });

  test('files of a module are found in the cache', async () => {
    const cache = await emptyDir();
    const path = join(cache, 'programs', 'volcano-crds-1.10.0.yaml');
    await mkdir(join(cache, 'programs'));
    await writeFile(path, 'kind: CustomResourceDefinition\n');
    expect(await ensureModuleFiles(volcanoCustomResources, { cache })).toBe(path);
  });

  test('the error about missing files of a module says what they are', async () => {
    const asked = ensureModuleFiles(volcanoCustomResources, { cache: await emptyDir() });
    await expect(asked).rejects.toMatchObject({
      message: 'volcano-crds 1.10.0: not in the cache, and Go to fetch volcano.sh/volcano is not installed',
      remedy: expect.stringContaining('go.dev/dl'),
    });
  });
});

test('the digest that GitHub publishes for an asset is read', () => {
  const release = programs.kwok.release({ os: 'linux', arch: 'arm64' }, officialOrigins);
  const answer = { assets: [{ name: 'kwok-linux-arm64', digest: `sha256:${'a'.repeat(64)}` }] };
  expect(release?.checksum.find(JSON.stringify(answer))).toBe('a'.repeat(64));
});

async function folderWith(name: string, content: string): Promise<string> {
  const folder = await emptyDir();
  await writeFile(join(folder, name), content);
  await chmod(join(folder, name), 0o755);
  return folder;
}

async function cacheWith(name: keyof typeof programs): Promise<string> {
  const cache = await emptyDir();
  const { os, arch } = thisPlatform();
  const file = join(cache, 'programs', `${name}-${programs[name].version}-${os}-${arch}`);
  await mkdir(join(cache, 'programs'));
  await writeFile(file, PROGRAM, { mode: 0o755 });
  return cache;
}
