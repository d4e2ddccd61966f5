import type { Pass } from './pass.ts';

/** Tests without servers. */
export const UNIT: Pass = {
  name: 'unit',
  args: ['--testPathIgnorePatterns', '\\.scenario\\.test\\.ts$', '--maxWorkers=100%'],
};
