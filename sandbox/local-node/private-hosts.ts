import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable } from './executable.ts';

/** Puts a command into a world where /etc/hosts is the given file and the host has the given name. */
export type PrivateHosts = (
  of: { readonly hosts: string; readonly hostname: string },
  command: readonly string[],
) => string[];

/** As root a mount namespace is enough; anyone else gets one inside a user namespace, where it is permitted. */
const WAYS = [
  ['--mount', '--uts'],
  ['--user', '--map-root-user', '--mount', '--uts'],
] as const;

/**
 * `exec` keeps the process: its pid, exit code and signals are the command's own. What comes from a manifest is only
 * ever a positional argument. 125 is what container tools answer when they fail before the command.
 */
const SCRIPT = '"$1" --bind "$2" /etc/hosts || exit 125; "$3" "$4" 2>/dev/null; shift 4; exec "$@"';

/** The first way that this machine permits, found by doing it; otherwise why not, in a sentence. */
export async function findPrivateHosts(): Promise<PrivateHosts | { readonly why: string }> {
  if (process.platform !== 'linux') return { why: `${process.platform} has no mount namespaces` };
  const [unshare, mount] = await Promise.all(['unshare', 'mount'].map((name) => findExecutable(name)));
  if (!unshare || !mount)
    return { why: 'the programs unshare and mount (util-linux) are not both installed' };
  // Without a hostname program a pod only keeps the machine's name.
  const hostname = (await findExecutable('hostname')) ?? '/bin/true';
  const refusals: string[] = [];
  for (const way of WAYS) {
    const wrap: PrivateHosts = (of, command) =>
      [unshare, ...way, '/bin/sh', '-c', SCRIPT, 'sh'].concat(
        mount,
        of.hosts,
        hostname,
        of.hostname,
        command,
      );
    const refusal = await tryOut(wrap);
    if (refusal === undefined) return wrap;
    refusals.push(refusal);
  }
  return { why: `this machine does not permit it (${refusals.join('; ')})` };
}

async function tryOut(wrap: PrivateHosts): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-hosts-'));
  const hosts = join(dir, 'hosts');
  try {
    await writeFile(hosts, '127.0.0.1\tlocalhost\n# tried out\n');
    const [program, ...args] = wrap({ hosts, hostname: 'localhost' }, ['/bin/cat', '/etc/hosts']);
    const { stdout } = await promisify(execFile)(program as string, args, { timeout: 10_000 });
    return stdout.includes('# tried out') ? undefined : 'the mount had no effect';
  } catch (error) {
    return ((error as { stderr?: string }).stderr || (error as Error).message).trim();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
