import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '../sandbox/sandbox.ts';

/** The sandbox that all scenarios share; `npm test` starts it afresh, and stops it at the end. */
export const TEST_SANDBOX_DIR = fileURLToPath(new URL('../.signalbox/test-sandbox', import.meta.url));

/** With every gang scheduler that there is. */
export const TEST_SANDBOX: Partial<SandboxOptions> = {
  durable: false,
  simulatedNodes: 4,
  gpusPerNode: 8,
  gang: ['volcano', 'coscheduling', 'kube-batch'],
};
