/** The entry `@signalbox/sandbox/running`: is there a sandbox to use? It loads next to nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { isAlive, type ProcessIdentity } from './engine-scripts.ts';
import { sandboxDir, sandboxLayout } from './layout.ts';

/** Where the parts of a running sandbox are. */
export interface SandboxAddresses {
  readonly temporalAddress: string;
  readonly kubeconfig: string;
  readonly evidenceDirectory: string;
  readonly archiveDirectory: string;
}

/**
 * Returns the addresses of the running sandbox of this checkout (or of SIGNALBOX_SANDBOX_DIR). A damaged state counts as
 * none: `signalbox sandbox status` reports it.
 */
export function runningSandbox(env: NodeJS.ProcessEnv): SandboxAddresses | undefined {
  const { state, evidence, archive } = sandboxLayout(sandboxDir(undefined, env));
  const recorded = readRecorded(state);
  if (!recorded || !mayRun(recorded.phase) || !isAlive(recorded.supervisor)) return undefined;
  const { temporalAddress, kubeconfig } = recorded;
  return { temporalAddress, kubeconfig, evidenceDirectory: evidence, archiveDirectory: archive };
}

/** Returns the archive of a sandbox that was stopped, for those who read it; undefined if it runs or has none. */
export function stoppedSandboxArchive(env: NodeJS.ProcessEnv): string | undefined {
  const { state, archive } = sandboxLayout(sandboxDir(undefined, env));
  return existsSync(state) && !runningSandbox(env) && existsSync(archive) ? archive : undefined;
}

/** Returns whether a sandbox of this phase may have a live supervisor. */
export const mayRun = (phase: string): boolean => phase !== 'stopped' && phase !== 'failed';

interface Recorded {
  readonly phase: string;
  readonly supervisor: ProcessIdentity;
  readonly temporalAddress: string;
  readonly kubeconfig: string;
}

/** Checks only what is used here; `state.ts` has the whole schema, in zod. */
function readRecorded(path: string): Recorded | undefined {
  try {
    const recorded = JSON.parse(readFileSync(path, 'utf8')) as Partial<Recorded>;
    return isComplete(recorded) ? (recorded as Recorded) : undefined;
  } catch {
    return undefined;
  }
}

function isComplete({ phase, supervisor, temporalAddress, kubeconfig }: Partial<Recorded>): boolean {
  const texts = [phase, supervisor?.startTime, temporalAddress, kubeconfig];
  return texts.every((text) => typeof text === 'string') && Number.isInteger(supervisor?.pid);
}
