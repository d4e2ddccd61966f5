import { fileURLToPath } from 'node:url';
import type { ProgressReport } from '@signalbox/sandbox';
import { ensureSandbox, type Sandbox } from '@signalbox/sandbox';

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
