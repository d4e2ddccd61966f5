import { describe } from '@jest/globals';
import { itHolds } from './model-report.ts';
import { modelWalks, runModel, runToEnd } from './model-walks.ts';

describe('in a cluster where anything may happen at any time', () => {
  itHolds('a job keeps its invariants, and ends', {
    file: 'test/machines/model-cluster.test.ts',
    share: 0.5,
    anyOf: modelWalks,
    examine: (run, say) => runToEnd(runModel(run, say), say),
  });
});
