import { fileURLToPath } from 'node:url';
import type { ProgressReport } from '@signalbox/sandbox';
import { ensureSandbox, resetSandbox, type Sandbox } from '@signalbox/sandbox';

/** The sandbox of the long tests: what is killed in it loses nothing, and comes back however often. */

export const LONG_SANDBOX_DIR = fileURLToPath(new URL('../../.signalbox/long-sandbox', import.meta.url));

export const openLongSandbox = (report?: ProgressReport): Promise<Sandbox> =>
  ensureSandbox({
    dir: LONG_SANDBOX_DIR,
    durable: true,
    localNode: false,
    simulatedNodes: 2,
    gang: [],
    auditPolicy: fileURLToPath(new URL('audit-policy.yaml', import.meta.url)),
    endlessRestarts: true,
    report,
  });

/** A sandbox of a file's own, without what a run that was killed has left in it. */
export async function freshSandbox(
  options: NonNullable<Parameters<typeof ensureSandbox>[0]> & { readonly dir: string },
): Promise<Sandbox> {
  await resetSandbox(options.dir);
  return ensureSandbox(options);
}
