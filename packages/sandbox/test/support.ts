import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, eventually } from '../../../test/eventually.ts';
import type { SandboxOptions } from '../options.ts';
import { resetSandbox, sandboxStatus } from '../sandbox.ts';
import type { SandboxState } from '../state.ts';

/** The first run on a machine builds or fetches the programs. */
export const FIRST_RUN_MS = 30 * 60_000;

export const throwaway: SandboxOptions = { durable: false, localNode: false };

const made: string[] = [];

export async function emptyDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-test-'));
  made.push(dir);
  return dir;
}

/** For test files that ran no sandbox in these folders. */
export async function removeEmptyDirs(): Promise<void> {
  await Promise.all(made.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
}

export async function removeSandbox(dir: string): Promise<void> {
  await resetSandbox(dir);
  await rm(dir, { recursive: true, force: true });
}

/** Waits for a fact; fails with its name before the test's own time is up. */
export const until = <T>(fact: string, holds: Ask<T>, withinMs = 60_000): Promise<T> =>
  eventually(fact, holds, { withinMs });

export function stateOf(dir: string): SandboxState {
  const status = sandboxStatus(dir);
  if (!status.running) throw new Error(`${dir}: expected a running sandbox`);
  return status.state;
}
