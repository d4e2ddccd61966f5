import { describe } from '@jest/globals';
import { itHolds } from './model-report.ts';
import { bringToAnEnd, live, lives } from './model-walks.ts';

describe('in a cluster where anything may happen at any time', () => {
  itHolds('a job keeps its promises, and ends', {
    file: 'test/machines/model-cluster.test.ts',
    share: 0.5,
    anyOf: lives,
    examine: (life, say) => bringToAnEnd(live(life, say), say),
  });
});
