import { describe } from '@jest/globals';
import { itHolds } from './model-report.ts';
import { modelWalks, runModel, runToEnd, walksWithNotices } from './model-walks.ts';

describe('in a cluster where anything may happen at any time', () => {
  itHolds('a job keeps its invariants, and ends', {
    file: 'test/machines/model-cluster.test.ts',
    share: 0.5,
    anyOf: modelWalks,
    examine: (run, say) => runToEnd(runModel(run, say), say),
  });

  itHolds('a job that leaves sick nodes does so, too', {
    file: 'test/machines/model-cluster.test.ts',
    share: 0.3,
    anyOf: walksWithNotices,
    examine: (run, say) => runToEnd(runModel(run, say), say),
  });
});
