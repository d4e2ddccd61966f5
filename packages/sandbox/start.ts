import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { identify, isAlive, type ProcessIdentity } from './engine.ts';
import { diskFull, isDiskFull, SandboxError } from './errors.ts';
import { type SandboxLayout, sandboxLayout } from './layout.ts';
import type { ProgressReport } from './report.ts';
import { readState, type SandboxState } from './state.ts';
import type { LaunchOptions } from './supervisor/context.ts';
import { lastLines } from './supervisor/start-failure.ts';

const POLL_MS = 25;

/** Starts the supervisor in a new session, so that it outlives this process and its terminal. */
export async function launchSupervisor(launch: LaunchOptions): Promise<ProcessIdentity> {
  const paths = sandboxLayout(launch.dir);
  mkdirSync(paths.logs, { recursive: true });
  const log = openSync(paths.supervisorLog, 'w');
  const entry = fileURLToPath(new URL('./supervisor/main.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, JSON.stringify(launch)], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: launch.dir,
  });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity === undefined) throw ended(paths);
  return identity;
}

/** Reads state.json until this supervisor reports that everything is ready. */
export async function untilReady(
  paths: SandboxLayout,
  { supervisor, report }: { supervisor: ProcessIdentity; report: ProgressReport },
): Promise<SandboxState> {
  for (;;) {
    const alive = isAlive(supervisor); // checked first, so that its last state is read below
    const state = readState(paths.state);
    const own =
      state?.supervisor.startTime === supervisor.startTime && state.supervisor.pid === supervisor.pid;
    if (own && state.phase === 'ready') return state;
    if (own && state.phase === 'failed' && state.error)
      throw new SandboxError(state.error.message, state.error.remedy);
    if (own && ['stopping', 'stopped'].includes(state.phase) && !state.error) {
      throw new SandboxError(
        `${paths.dir}: the sandbox was stopped while it was starting`,
        'run `signalbox sandbox up` again',
      );
    }
    if (!alive) throw ended(paths);
    if (own) report.step(describeState(state));
    await delay(POLL_MS);
  }
}

function describeState(state: SandboxState): string {
  const waiting = state.components.filter((component) => component.state !== 'ready').map(({ name }) => name);
  return waiting.length === 0 ? 'starting the sandbox' : `starting ${waiting.join(', ')}`;
}

function ended({ supervisorLog, dir }: SandboxLayout): SandboxError {
  const tail = lastLines({ path: supervisorLog, from: 0 });
  if (isDiskFull(tail)) return diskFull(dir);
  return new SandboxError(
    `the sandbox's supervisor ended before anything was ready. Last lines of ${supervisorLog}:\n${tail}`,
    'run `signalbox sandbox up` again; if it stays so, `signalbox sandbox reset` starts from nothing',
  );
}
