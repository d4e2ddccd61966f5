import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '@signalbox/sandbox';

export const TEST_SANDBOX_FOLDER =
  process.env.SIGNALBOX_TEST_SANDBOX ?? fileURLToPath(new URL('../.signalbox/test-sandbox', import.meta.url));

/**
 * Jest numbers its processes from 1. Each has a sandbox of its own for the scenarios that it runs: some of them kill its
 * servers. `npm test` starts them afresh, and removes them at the end.
 */
export const testSandboxDir = (process: number) => `${TEST_SANDBOX_FOLDER}-${process}`;

/** Of the scenarios of this process. Whoever runs one scenario beside others names another folder. */
export const TEST_SANDBOX_DIR = testSandboxDir(Number(process.env.JEST_WORKER_ID ?? 1));

const GANG_SCHEDULERS = ['volcano', 'coscheduling'] as const;

/** With every gang scheduler that there is, unless somebody wants a light one. */
export const TEST_SANDBOX: Partial<SandboxOptions> = {
  durable: false,
  simulatedNodes: 4,
  gpusPerNode: 8,
  gang: process.env.SIGNALBOX_TEST_GANG === 'none' ? [] : GANG_SCHEDULERS,
};
