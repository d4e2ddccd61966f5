import type { SandboxPackage } from '../sandbox-package.ts';

export interface SandboxAddresses {
  readonly temporalAddress: string;
  readonly kubeconfig: string;
  readonly evidenceDirectory: string;
}

/** Returns the sandbox of this checkout (or of SIGNALBOX_SANDBOX_DIR) if it is running. */
export function runningSandbox(
  { sandboxLayout, sandboxDir, sandboxStatus }: SandboxPackage,
  env: NodeJS.ProcessEnv,
): SandboxAddresses | undefined {
  try {
    const dir = sandboxDir(undefined, env);
    const status = sandboxStatus(dir);
    return status.running ? { ...status.state, evidenceDirectory: sandboxLayout(dir).evidence } : undefined;
  } catch {
    return undefined; // `signalbox sandbox status` reports a damaged state
  }
}
