import { ATTEMPT_VARIABLE } from '../../contracts/labels.ts';
import type { Difference } from './difference.ts';

/** What no operator does, as none of them starts a gang again as a whole. */
export const ATTEMPTS: readonly Difference[] = [
  {
    id: 'number-of-the-attempt',
    area: 'objects',
    original: 'A program cannot tell its first start from a later one.',
    signalbox: `Containers that get the variables of their kind also get \`${ATTEMPT_VARIABLE}\`: 1 at first, then one more for each restart of the whole gang.`,
    why: 'Programs that write logs or coordinate outside their pods can tell attempts apart.',
    leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'env'], name: ATTEMPT_VARIABLE }],
  },
];
