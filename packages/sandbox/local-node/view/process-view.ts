import { findExecutable } from '../executable.ts';
import { BECOME_FIRST } from '../first-process.ts';
import { findPrivateView, type PrivateView, tryOut, WAYS } from './private-view.ts';

/** A private view with processes of its own: the command is process 1, and all that it has started dies with it. */
export interface ProcessView {
  readonly enter: PrivateView;
  /** Puts a command beside process 1, which this machine knows by another pid. */
  join(first: number, cwd: string, command: readonly string[]): string[];
}

const PROGRAMS = ['unshare', 'timeout', 'setpriv', 'setsid', 'mount', 'nsenter'] as const;
type Programs = Readonly<Record<(typeof PROGRAMS)[number], string>>;

/** The first way that this machine permits; otherwise why not the last one, in a sentence. */
export async function findProcessView(
  ways: readonly (readonly string[])[] = WAYS,
): Promise<ProcessView | { readonly why: string }> {
  if (process.platform !== 'linux') return { why: `${process.platform} has no PID namespaces` };
  const programs = await findPrograms();
  if (!programs) return { why: `the programs ${PROGRAMS.join(', ')} are not all installed` };
  let why = '';
  for (const way of ways) {
    const found = await findPrivateView([way]);
    if ('why' in found) {
      why = found.why;
      continue;
    }
    const enter: PrivateView = (of, command) => found(of, [...asFirst(programs), ...command]);
    const refusal = await tryOut(enter);
    if (refusal === undefined) return { enter, join: joining(programs, way) };
    why = `this machine does not permit it (${refusal})`;
  }
  return { why };
}

async function findPrograms(): Promise<Programs | undefined> {
  const found = await Promise.all(PROGRAMS.map(async (name) => [name, await findExecutable(name)] as const));
  return found.every(([, path]) => path) ? (Object.fromEntries(found) as Programs) : undefined;
}

/**
 * `timeout 0` only waits for process 1, and ends as it did: `unshare --fork` of util-linux 2.38 makes a SIGKILL an exit
 * code 1. As in a container process 1 leads a session, so that it signals nobody outside with its group.
 */
function asFirst({ unshare, timeout, setpriv, setsid, mount }: Programs): string[] {
  const waits = [unshare, '--pid', timeout, '--foreground', '0'];
  return [...waits, setpriv, '--pdeathsig', 'KILL', setsid, '/bin/sh', '-c', BECOME_FIRST, mount];
}

/** Only the namespaces that the way has made: nobody may join those that he is in. Its root stays root. */
function joining({ nsenter }: Programs, way: readonly string[]): ProcessView['join'] {
  const made = [...way.filter((flag) => flag !== '--map-root-user'), '--pid'];
  return (first, cwd, command) => [
    ...[nsenter, '--target', `${first}`, ...made, '--root', '--preserve-credentials'],
    ...['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command],
  ];
}
