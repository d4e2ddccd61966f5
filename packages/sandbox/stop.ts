import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './engine.ts';
import type { SandboxLayout } from './layout.ts';
import { signal, signalGroup } from './process-identity.ts';
import type { ProgressReport } from './report.ts';
import type { SandboxState } from './state.ts';

const POLL_MS = 25;

/** Longer than all components together take at most (supervisor/component.ts: stopWithinMs). */
const STOP_WITHIN_MS = 30_000;

/** Stops the supervisor. If it does not stop in time, kills it; its reaper then ends the components. */
export async function stopSupervisor(state: SandboxState): Promise<void> {
  signal(state.supervisor, 'SIGTERM');
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(state.supervisor)) {
    if (Date.now() > deadline) signal(state.supervisor, 'SIGKILL');
    await delay(POLL_MS);
  }
  for (const { process } of state.components) while (process && isAlive(process)) await delay(POLL_MS);
}

/** After a crash of both supervisor and reaper, components may still hold the ports and the data. */
export function killLeftovers(state: SandboxState | undefined, report: ProgressReport): void {
  if (state === undefined || state.phase === 'stopped' || state.phase === 'failed') return;
  const killed = state.components.filter(
    ({ process }) => process !== undefined && signalGroup(process, 'SIGKILL'),
  );
  const left =
    killed.length === 0
      ? 'nothing of it is left running'
      : `stopped what it left: ${killed.map(({ name }) => name).join(', ')}`;
  report.note(`the last sandbox here (pid ${state.supervisor.pid}) ended without being stopped; ${left}`);
}

/** Removes only files of the sandbox: `--dir` may contain others. */
export async function removeFiles(paths: SandboxLayout): Promise<void> {
  const { state, logs, data, credentials, kubeconfig, controlSocket } = paths;
  const own = [state, logs, data, credentials, kubeconfig, controlSocket];
  await Promise.all(own.map((path) => rm(path, { recursive: true, force: true })));
}
