import type { Pass } from './pass.ts';

/** Tests in one process: they start neither servers (`*.scenario.test.ts`) nor other programs (`*.program.test.ts`). */
export const UNIT: Pass = {
  name: 'unit',
  args: ['--testPathIgnorePatterns', '\\.(scenario|program)\\.test\\.ts$', '--maxWorkers=100%'],
};
