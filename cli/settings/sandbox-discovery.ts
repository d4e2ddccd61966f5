import { layout, sandboxDir } from '../../sandbox/layout.ts';
import { isAlive } from '../../sandbox/process-identity.ts';
import { readState } from '../../sandbox/state.ts';

export interface SandboxAddresses {
  readonly temporalAddress: string;
  readonly kubeconfig: string;
  readonly evidenceDirectory: string;
}

/** The sandbox of this checkout (or of SIGNALBOX_SANDBOX_DIR), if one is running. */
export function runningSandbox(env: NodeJS.ProcessEnv): SandboxAddresses | undefined {
  try {
    const { state: path, evidence } = layout(sandboxDir(undefined, env));
    const state = readState(path);
    return state && isAlive(state.supervisor) ? { ...state, evidenceDirectory: evidence } : undefined;
  } catch {
    return undefined; // a damaged state is for `signalbox sandbox status` to report
  }
}
