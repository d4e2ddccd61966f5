import { findExecutable } from '../executable.ts';
import { findMountNamespace, type MountNamespace, tryNamespace, UNSHARE_FLAGS } from './mount-namespace.ts';
import { PID1_SCRIPT } from './pid1.ts';

/** A mount and PID namespace: the command is process 1, and everything it started dies with it. */
export interface PidNamespace {
  readonly enter: MountNamespace;
  /** Returns the command line that runs another command in the namespaces of `pid1`, a pid of this machine. */
  join(pid1: number, cwd: string, command: readonly string[]): string[];
}

const PROGRAMS = ['unshare', 'timeout', 'setpriv', 'setsid', 'mount', 'nsenter'] as const;
type Programs = Readonly<Record<(typeof PROGRAMS)[number], string>>;

/**
 * Tries the flags in order and returns the first namespace that this machine permits, or the reason why the last
 * failed.
 */
export async function findPidNamespace(
  candidates: readonly (readonly string[])[] = UNSHARE_FLAGS,
): Promise<PidNamespace | { readonly why: string }> {
  if (process.platform !== 'linux') return { why: `${process.platform} has no PID namespaces` };
  const programs = await findPrograms();
  if (!programs) return { why: `the programs ${PROGRAMS.join(', ')} are not all installed` };
  let why = '';
  for (const flags of candidates) {
    const found = await findMountNamespace([flags]);
    if ('why' in found) {
      why = found.why;
      continue;
    }
    const enter: MountNamespace = (of, command) => found(of, [...pid1Command(programs), ...command]);
    const refusal = await tryNamespace(enter);
    if (refusal === undefined) return { enter, join: joinWith(programs, flags) };
    why = `this machine does not permit it (${refusal})`;
  }
  return { why };
}

async function findPrograms(): Promise<Programs | undefined> {
  const found = await Promise.all(PROGRAMS.map(async (name) => [name, await findExecutable(name)] as const));
  return found.every(([, path]) => path) ? (Object.fromEntries(found) as Programs) : undefined;
}

/**
 * `timeout 0` only waits for process 1 and exits with its code: `unshare --fork` of util-linux 2.38 turns SIGKILL into
 * exit code 1. As in a container, process 1 leads a session, so that its group has no outer processes.
 */
function pid1Command({ unshare, timeout, setpriv, setsid, mount }: Programs): string[] {
  const waits = [unshare, '--pid', timeout, '--foreground', '0'];
  return [...waits, setpriv, '--pdeathsig', 'KILL', setsid, '/bin/sh', '-c', PID1_SCRIPT, mount];
}

/** Joins only the namespaces that the flags created: a process may not join one that it is already in. Keeps uid 0. */
function joinWith({ nsenter }: Programs, flags: readonly string[]): PidNamespace['join'] {
  const made = [...flags.filter((flag) => flag !== '--map-root-user'), '--pid'];
  return (pid1, cwd, command) => [
    ...[nsenter, '--target', `${pid1}`, ...made, '--root', '--preserve-credentials'],
    ...['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command],
  ];
}
