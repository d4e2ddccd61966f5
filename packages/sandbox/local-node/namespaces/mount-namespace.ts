import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../engine.ts';
import { findExecutable } from '../executable.ts';
import { type ContainerRootfs, makeRootfs } from './rootfs.ts';

interface NamespaceOptions {
  readonly rootfs: ContainerRootfs;
  /** The container's host name; the machine's by default. */
  readonly hostname?: string;
  /** The working directory, inside the container. */
  readonly cwd: string;
}

/** Returns the command line that runs a command with its own mounts, host name and working directory. */
export type MountNamespace = (of: NamespaceOptions, command: readonly string[]) => string[];

/** Root needs only a mount namespace. Other users need one inside a user namespace, if the machine permits it. */
export const UNSHARE_FLAGS = [
  ['--mount', '--uts'],
  ['--user', '--map-root-user', '--mount', '--uts'],
] as const;

/**
 * `exec` keeps pid, exit code and signals of the process for the command. Values of a manifest are passed only as
 * positional arguments. Container tools exit with 125 if they fail before the command.
 */
const SCRIPT = `
[ ! -s "$2" ] || "$1" -n --all --fstab "$2"
"$1" -n --all --fstab "$3" || exit 125
[ -z "$5" ] || "$4" "$5" 2>/dev/null
chroot=$6 root=$7 cwd=$8
shift 8
[ -z "$root" ] || exec "$chroot" "$root" /bin/sh -c 'cd "$0" || exit 125; exec "$@"' "$cwd" "$@"
cd "$cwd" || exit 125
exec "$@"
`;

/** Tries the flags in order and returns the first namespace that this machine permits, or the reason why none works. */
export async function findMountNamespace(
  candidates: readonly (readonly string[])[] = UNSHARE_FLAGS,
): Promise<MountNamespace | { readonly why: string }> {
  if (process.platform !== 'linux') return { why: `${process.platform} has no mount namespaces` };
  const programs = await Promise.all(['unshare', 'mount', 'chroot'].map((name) => findExecutable(name)));
  const [unshare, mount, chroot] = programs;
  if (!unshare || !mount || !chroot) {
    return { why: 'the programs unshare, mount (util-linux) and chroot (coreutils) are not all installed' };
  }
  // Without the program `hostname`, a pod keeps the machine's name.
  const setName = (await findExecutable('hostname')) ?? '/bin/true';
  const refusals: string[] = [];
  for (const flags of candidates) {
    const enter: MountNamespace = ({ rootfs, hostname = '', cwd }, command) => [
      ...[unshare, ...flags, '/bin/sh', '-c', SCRIPT, 'sh'],
      ...[mount, rootfs.entries, rootfs.mounts, setName, hostname, chroot, rootfs.root, cwd],
      ...command,
    ];
    const refusal = await tryNamespace(enter);
    if (refusal === undefined) return enter;
    refusals.push(refusal);
  }
  return { why: `this machine does not permit it (${refusals.join('; ')})` };
}

const MISSING_PATH = '/signalbox-tried-out';

/**
 * Tries a hosts file and a mount at a path that this machine lacks, the most that a pod can need. Returns the error, if
 * any.
 */
export async function tryNamespace(enter: MountNamespace): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-rootfs-'));
  const file = join(dir, 'file');
  try {
    await writeFile(file, 'tried out\n');
    const targets = ['/etc/hosts', MISSING_PATH];
    const mounts = targets.map((target) => ({ target, source: file, readOnly: target === MISSING_PATH }));
    const rootfs = await makeRootfs(mounts, join(dir, 'rootfs'));
    const [program, ...args] = enter({ rootfs, hostname: 'localhost', cwd: '/' }, ['/bin/cat', ...targets]);
    const { stdout } = await promisify(execFile)(program as string, args, { timeout: 10_000 });
    return stdout === 'tried out\ntried out\n' ? undefined : 'the mount had no effect';
  } catch (error) {
    return ((error as { stderr?: string }).stderr || errorMessage(error)).trim();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
