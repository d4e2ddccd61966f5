import { constants } from 'node:os';
import { pause } from '../engine.ts';
import type { PreStop } from './fields.ts';
import type { ContainerProcess } from './process.ts';

/** Runs a hook until it or its container has ended. Returns why it failed, if it did. */
export async function runPreStop(
  { exec, sleep }: PreStop,
  container: ContainerProcess,
): Promise<string | undefined> {
  const ended = new AbortController();
  void container.ended.then(() => ended.abort());
  if (sleep) await pause(sleep.seconds * 1000, ended.signal);
  if (!exec) return undefined;
  const { exitCode, signal, startError } = await container
    .exec(exec.command, ended.signal)
    .catch((error: Error) => ({ exitCode: 128, signal: undefined, startError: error.message }));
  // The kernel kills the hook with process 1 when the container ends, which is no failure.
  if (exitCode === 0 || signal === constants.signals.SIGKILL) return undefined;
  return startError ?? `exit code ${exitCode}`;
}
