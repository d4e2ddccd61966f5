import { availableParallelism } from 'node:os';
import type { Pass } from './pass.ts';

/** More than there are cores: many tests wait a little, e.g. for the end of a back-off. */
const WORKERS = 2 * availableParallelism();

/** Tests in one process: they start neither servers (`*.scenario.test.ts`) nor other programs (`*.program.test.ts`). */
export const UNIT: Pass = {
  name: 'unit',
  projects: ['unit'],
  args: [`--maxWorkers=${WORKERS}`],
};
