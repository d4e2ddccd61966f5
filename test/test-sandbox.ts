import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '../sandbox/sandbox.ts';

/**
 * The sandbox that all scenarios share; `npm test` starts it afresh, and stops it at the end. Whoever runs one scenario
 * beside others names another folder.
 */
export const TEST_SANDBOX_DIR =
  process.env.SIGNALBOX_TEST_SANDBOX ?? fileURLToPath(new URL('../.signalbox/test-sandbox', import.meta.url));

const GANG_SCHEDULERS = ['volcano', 'coscheduling', 'kube-batch'] as const;

/** With every gang scheduler that there is, unless somebody wants a light one. */
export const TEST_SANDBOX: Partial<SandboxOptions> = {
  durable: false,
  simulatedNodes: 4,
  gpusPerNode: 8,
  gang: process.env.SIGNALBOX_TEST_GANG === 'none' ? [] : GANG_SCHEDULERS,
};
