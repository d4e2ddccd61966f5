import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { containerMounts } from '../local-node/namespaces/container-mounts.ts';
import { locate, type Mount } from '../local-node/namespaces/mount.ts';
import { findMountNamespace, UNSHARE_FLAGS } from '../local-node/namespaces/mount-namespace.ts';
import { planMounts } from '../local-node/namespaces/mount-plan.ts';
import { bindLine, restrictionsOf } from '../local-node/namespaces/mount-table.ts';
import { makeRootfs } from '../local-node/namespaces/rootfs.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

let dir: string;
beforeEach(async () => {
  dir = await emptyDir();
});
afterAll(removeEmptyDirs);

const mountAt = (target: string, source: string, readOnly = false): Mount => ({ target, source, readOnly });

describe('mount points', () => {
  const folders = new Set(['/', '/etc', '/opt', '/root', '/tmp', '/v/conf', '/v/data', '/v/data/there']);
  const files = new Set(['/etc/hosts', '/v/file']);
  const look = (path: string) =>
    folders.has(path) ? ('folder' as const) : files.has(path) ? ('file' as const) : undefined;
  const plan = (...mounts: [string, string][]) => {
    const { layers, points } = planMounts(
      mounts.map(([target, source]) => mountAt(target, source)),
      look,
    );
    return { layers, points };
  };
  const folder = (path: string) => ({ path, is: 'folder' });
  const file = (path: string) => ({ path, is: 'file' });

  it.each<[string, [string, string][], object]>([
    [
      'over what exists need nothing',
      [
        ['/tmp', '/v/data'],
        ['/etc/hosts', '/v/file'],
      ],
      { layers: [], points: [] },
    ],
    [
      'that are missing are made in a private copy of the nearest folder',
      [
        ['/etc/mpi', '/v/conf'],
        ['/opt/a/b', '/v/data'],
        ['/etc/one.conf', '/v/file'],
      ],
      {
        layers: [
          { folder: '/etc', points: [folder('/etc/mpi'), file('/etc/one.conf')] },
          { folder: '/opt', points: [folder('/opt/a/b')] },
        ],
        points: [],
      },
    ],
    [
      'beside /etc and /opt are made in a private root',
      [['/data', '/v/data']],
      { layers: [{ folder: '/', points: [folder('/data')] }], points: [] },
    ],
    [
      'within a volume are made in the volume',
      [
        ['/data/there', '/v/conf'],
        ['/data/new', '/v/file'],
        ['/data', '/v/data'],
      ],
      { layers: [{ folder: '/', points: [folder('/data')] }], points: [file('/v/data/new')] },
    ],
  ])('%s', (_what, mounts, expected) => {
    expect(plan(...mounts)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['/etc/hosts', '/v/data', 'mountPath /etc/hosts: expected a folder, as the volume is one, found a file'],
    ['/tmp', '/v/file', 'mountPath /tmp: expected a file, as the volume is one, found a folder'],
    ['/', '/v/data', 'nothing can be mounted at the root'],
  ])('at %s of %s are refused', (target, source, message) => {
    expect(() => plan([target, source])).toThrow(message);
  });

  it('lead from a path in the container to one of this machine', () => {
    const mounts = [mountAt('/data', '/v/data'), mountAt('/data/conf', '/v/conf')];
    const paths = ['/data', '/data/x', '/data/conf/y', '/database'].map((path) => locate(path, mounts));
    expect(paths).toEqual(['/v/data', '/v/data/x', '/v/conf/y', '/database']);
  });

  it('are written for mount(8) with their odd signs escaped', () => {
    expect(bindLine('/a b#', '/c\\d', ['ro'])).toBe('/a\\040b\\043 /c\\134d none rbind,ro 0 0\n');
  });

  it('keep the restrictions of where they come from', () => {
    const mountInfo = [
      '20 1 8:1 / / rw,relatime - ext4 /dev/sda rw',
      '21 20 0:3 / /tmp rw,nosuid,nodev,relatime shared:5 - tmpfs t rw',
    ].join('\n');
    expect(restrictionsOf('/tmp/x', mountInfo)).toEqual(['nosuid', 'nodev']);
    expect(restrictionsOf('/tmpx', mountInfo)).toEqual([]);
  });
});

describe('the volumeMounts of a container', () => {
  const mountsOf = (volumeMounts: object[], readOnly = false) =>
    containerMounts({ name: 'main', volumeMounts } as never, { NAME: 'w-0' }, (name) =>
      name === 'v' ? { path: join(dir, name), readOnly } : undefined,
    );

  it('take a part of a volume, which becomes a folder where it is not there', async () => {
    await mkdir(join(dir, 'v'));
    await writeFile(join(dir, 'v', 'key'), '');
    const mounts = await mountsOf([
      { name: 'v', mountPath: '/a/', subPath: 'key' },
      { name: 'v', mountPath: '/b', subPathExpr: 'of/$(NAME)', readOnly: true },
      { name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ]);
    expect(mounts).toEqual([
      { target: '/a', source: join(dir, 'v', 'key'), readOnly: false },
      { target: '/b', source: join(dir, 'v', 'of', 'w-0'), readOnly: true },
    ]);
    expect(existsSync(join(dir, 'v', 'of', 'w-0'))).toBe(true);
  });

  it('cannot make a volume writable that is not', async () => {
    expect(await mountsOf([{ name: 'v', mountPath: '/a' }], true)).toMatchObject([{ readOnly: true }]);
  });
});

/** As root, and as another user; not every machine permits both. */
const namespaces = await Promise.all(
  UNSHARE_FLAGS.map(async (flags) => ({ flags: flags.join(' '), enter: await findMountNamespace([flags]) })),
);

describe.each(namespaces)('a process in a mount namespace of unshare $flags', ({ enter }) => {
  async function run(mounts: readonly Mount[], script: string, cwd = '/'): Promise<string> {
    if (typeof enter !== 'function') throw new Error(`expected a machine that permits it: ${enter.why}`);
    const rootfs = await makeRootfs(mounts, join(dir, 'rootfs'));
    const [program, ...args] = enter({ rootfs, hostname: 'w-0', cwd }, ['/bin/sh', '-c', script]);
    return (await promisify(execFile)(program as string, args)).stdout;
  }
  const permitted = typeof enter === 'function' ? it : it.skip;

  beforeEach(async () => {
    await mkdir(join(dir, 'volume'));
    await writeFile(join(dir, 'volume', 'file'), 'from the volume\n');
  });

  permitted.each([
    '/signalbox-nowhere',
    '/signalbox-nowhere/deep/er',
    '/etc/signalbox-nowhere',
    '/root/.signalbox-nowhere',
    '/opt',
  ])('finds a volume at %s, and nobody else does', async (target) => {
    const mounts = [mountAt(target, join(dir, 'volume'))];
    expect(await run(mounts, `cat ${target}/file; pwd`, target)).toBe(`from the volume\n${target}\n`);
    expect(existsSync(join(target, 'file'))).toBe(false);
  });

  permitted('still sees all else of the machine', async () => {
    const mounts = [
      mountAt('/etc/signalbox-nowhere', join(dir, 'volume')),
      mountAt('/signalbox', join(dir, 'volume')),
    ];
    const script = 'cat /etc/passwd | wc -l; ls /proc/self/fd | wc -l; readlink /bin; hostname';
    const [users, open, bin, name] = (await run(mounts, script)).split('\n');
    const passwd = await readFile('/etc/passwd', 'utf8');
    expect([Number(users), bin, name]).toEqual([passwd.split('\n').length - 1, expect.any(String), 'w-0']);
    expect(Number(open)).toBeGreaterThan(2);
  });

  permitted('finds every volume, though one is mounted over where the others come from', async () => {
    const volumes = ['one', 'two'].map((name) => join(dir, name));
    await Promise.all(volumes.map((volume) => mkdir(volume)));
    const [one = '', two = ''] = volumes;
    await writeFile(join(two, 'file'), 'two\n');
    const mounts = [mountAt('/tmp', one), mountAt('/zzz', two)];
    expect(await run(mounts, 'cat /zzz/file; touch /tmp/new')).toBe('two\n');
    expect(existsSync(join(one, 'new'))).toBe(true);
  });

  permitted('cannot write to what is mounted read-only', async () => {
    const mounts = [mountAt('/data', join(dir, 'volume'), true)];
    expect(await run(mounts, 'touch /data/new 2>/dev/null || echo refused')).toBe('refused\n');
  });

  permitted('writes beside a mount point to where it lasts, and new names to where they do not', async () => {
    await mkdir(join(dir, 'home', 'kept'), { recursive: true });
    const home = join(dir, 'home');
    await run([mountAt(join(home, 'mount'), join(dir, 'volume'))], `touch ${home}/kept/a ${home}/b`);
    expect([existsSync(join(home, 'kept', 'a')), existsSync(join(home, 'b'))]).toEqual([true, false]);
  });

  permitted('ends with 125 where a mount cannot be made', async () => {
    const mounts = [mountAt('/signalbox-nowhere', join(dir, 'gone'))];
    await expect(run(mounts, 'true')).rejects.toMatchObject({ code: 125 });
  });
});
