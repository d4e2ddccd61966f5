import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { ProcessReaper } from '../process-reaper.ts';

export interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface Ended {
  readonly exitCode: number;
  readonly signal?: number;
  /** The process could not be started at all. */
  readonly startError?: string;
}

export interface ProcessGroup {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Signals the whole group; does nothing if its leader has ended. */
  kill(signal: NodeJS.Signals): void;
}

/** How long to wait for output that a process outside the group still holds open. */
const DRAIN_MS = 500;

/** Starts a command as the leader of a new session. Its group dies with it, or with this process. */
export function startGroup(
  { argv, env, cwd }: Command,
  stdio: StdioOptions,
  reaper: ProcessReaper,
): ProcessGroup {
  const [program, ...args] = argv;
  const child = spawn(program as string, args, { cwd, env, detached: true, stdio });
  const group = child.pid;
  if (group !== undefined) reaper.add(group);
  let over = false;
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error) => {
      if (group === undefined) resolve({ exitCode: 128, startError: error.message });
    });
    child.once('exit', (code, signal) => {
      over = true;
      if (group !== undefined) {
        killGroup(group, 'SIGKILL'); // the group ends with its leader
        reaper.remove(group);
      }
      void drained(child).then(() => resolve(endOfProcess(code, signal)));
    });
  });
  return {
    ...{ child, ended },
    kill(signal) {
      if (group !== undefined && !over) killGroup(group, signal);
    },
  };
}

export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // The group has ended.
  }
}

function drained(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve();
    }, DRAIN_MS);
    child.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
  });
}

function endOfProcess(code: number | null, signal: NodeJS.Signals | null): Ended {
  if (signal === null) return { exitCode: code ?? 255 };
  const number = constants.signals[signal];
  return { exitCode: 128 + number, signal: number };
}
