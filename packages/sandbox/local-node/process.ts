import type { ProcessReaper } from '../process-reaper.ts';
import type { LogWriter } from './log-writer.ts';
import { findPid1, PID1_STDIO } from './namespaces/pid1.ts';
import { type Command, type Ended, killGroup, type ProcessGroup, startGroup } from './process-group.ts';

export interface Launch extends Command {
  /** The command is process 1 of a PID namespace, the child of a process that only waits for it. */
  readonly ownsPids: boolean;
  /** Returns the command line that runs another command in the same namespaces and directory. */
  readonly enter: (command: readonly string[], pid1: number) => string[];
}

export interface ContainerProcess {
  readonly ended: Promise<Ended>;
  /** Runs another command in the container until it ends or the signal aborts. */
  exec(command: readonly string[], signal: AbortSignal): Promise<Ended>;
  /** Signals its whole process group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts a container's process. */
export function startProcess(launch: Launch, log: LogWriter, reaper: ProcessReaper): ContainerProcess {
  const group = startGroup(launch, launch.ownsPids ? [...PID1_STDIO] : ['ignore', 'pipe', 'pipe'], reaper);
  const { child, ended } = group;
  child.stdout?.on('data', (chunk: Buffer) => log.write('stdout', chunk));
  child.stderr?.on('data', (chunk: Buffer) => log.write('stderr', chunk));
  const { pid1, kill } = launch.ownsPids
    ? insideOf(group, reaper)
    : { pid1: Promise.resolve(child.pid), kill: group.kill };
  return {
    ...{ ended, kill },
    async exec(command, signal) {
      const pid = await pid1;
      if (pid === undefined) return { exitCode: 128, startError: 'the container does not run' };
      return execute({ ...launch, argv: launch.enter(command, pid) }, reaper, signal);
    },
  };
}

/**
 * Process 1 leads its own group, which gets the signals. The outer process waits for it and ends with its exit code.
 */
function insideOf(outer: ProcessGroup, reaper: ProcessReaper) {
  let inner: number | undefined;
  const pid1 = findPid1(outer.child).then((pid) => {
    if (pid === undefined || outer.child.exitCode !== null || outer.child.signalCode !== null)
      return undefined;
    inner = pid;
    reaper.add(pid);
    outer.child.once('exit', () => {
      inner = undefined;
      reaper.remove(pid);
    });
    return pid;
  });
  const kill: ProcessGroup['kill'] = (signal) => {
    if (inner !== undefined) killGroup(inner, signal);
    else if (signal === 'SIGKILL') outer.kill(signal);
  };
  return { pid1, kill };
}

async function execute(command: Command, reaper: ProcessReaper, signal: AbortSignal): Promise<Ended> {
  const group = startGroup(command, 'ignore', reaper);
  const kill = () => group.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  return group.ended.finally(() => signal.removeEventListener('abort', kill));
}
