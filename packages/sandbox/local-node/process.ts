import type { Guardian } from '../guardian.ts';
import { findFirst, HEAR_FIRST } from './first-process.ts';
import type { LogWriter } from './log-writer.ts';
import { type Command, type Ended, killGroup, type ProcessGroup, startGroup } from './process-group.ts';

export interface Launch extends Command {
  /** The command is process 1 of a PID namespace, below a process that only waits for its end. */
  readonly ownsPids: boolean;
  /** Another command in the same surroundings: mounts, names, directory, and the PID namespace of the first process. */
  readonly enter: (command: readonly string[], first: number) => string[];
}

export interface ContainerProcess {
  readonly ended: Promise<Ended>;
  /** Runs another command beside it, to its end or until the signal. */
  exec(command: readonly string[], over: AbortSignal): Promise<Ended>;
  /** To its whole process group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts a container's process. */
export function startProcess(launch: Launch, log: LogWriter, guardian: Guardian): ContainerProcess {
  const group = startGroup(launch, launch.ownsPids ? [...HEAR_FIRST] : ['ignore', 'pipe', 'pipe'], guardian);
  const { child, ended } = group;
  child.stdout?.on('data', (chunk: Buffer) => log.write('stdout', chunk));
  child.stderr?.on('data', (chunk: Buffer) => log.write('stderr', chunk));
  const { first, kill } = launch.ownsPids
    ? insideOf(group, guardian)
    : { first: Promise.resolve(child.pid), kill: group.kill };
  return {
    ...{ ended, kill },
    async exec(command, over) {
      const pid = await first;
      if (pid === undefined) return { exitCode: 128, startError: 'the container does not run' };
      return execute({ ...launch, argv: launch.enter(command, pid) }, guardian, over);
    },
  };
}

/** Process 1 leads a group of its own, which signals are for; the process outside waits for its end, and ends as it did. */
function insideOf(outer: ProcessGroup, guardian: Guardian) {
  let inner: number | undefined;
  const first = findFirst(outer.child).then((pid) => {
    if (pid === undefined || outer.child.exitCode !== null || outer.child.signalCode !== null)
      return undefined;
    inner = pid;
    guardian.guard(pid);
    outer.child.once('exit', () => {
      inner = undefined;
      guardian.release(pid);
    });
    return pid;
  });
  const kill: ProcessGroup['kill'] = (signal) => {
    if (inner !== undefined) killGroup(inner, signal);
    else if (signal === 'SIGKILL') outer.kill(signal);
  };
  return { first, kill };
}

async function execute(command: Command, guardian: Guardian, over: AbortSignal): Promise<Ended> {
  const group = startGroup(command, 'ignore', guardian);
  const kill = () => group.kill('SIGKILL');
  over.addEventListener('abort', kill);
  if (over.aborted) kill();
  return group.ended.finally(() => over.removeEventListener('abort', kill));
}
