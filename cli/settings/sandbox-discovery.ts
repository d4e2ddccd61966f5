import { layout, sandboxDir } from '../../sandbox/layout.ts';
import { isAlive } from '../../sandbox/process-identity.ts';
import { readState } from '../../sandbox/state.ts';

export interface SandboxAddresses {
  readonly temporalAddress: string;
  readonly kubeconfig: string;
  readonly evidenceDirectory: string;
}

/** Returns the sandbox of this checkout (or of SIGNALBOX_SANDBOX_DIR) if it is running. */
export function runningSandbox(env: NodeJS.ProcessEnv): SandboxAddresses | undefined {
  try {
    const { state: path, evidence } = layout(sandboxDir(undefined, env));
    const state = readState(path);
    return state && isAlive(state.supervisor) ? { ...state, evidenceDirectory: evidence } : undefined;
  } catch {
    return undefined; // `signalbox sandbox status` reports a damaged state
  }
}
