import { describe, expect, test } from '@jest/globals';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { manifestsOf, type Workload, warmUpOf } from './workload.ts';

const WORKLOAD: Workload = { prefix: 'job', jobs: 1, podsPerJob: 4 };

describe('the jobs of a workload', () => {
  test('leave the gang scheduler to the configuration', () => {
    expect(schedulersOf(WORKLOAD)).toEqual([undefined]);
  });

  test('use no gang on request, and neither does the warm-up job', () => {
    const workload: Workload = { ...WORKLOAD, gang: 'none' };
    expect(schedulersOf(workload)).toEqual(['none']);
    expect(schedulersOf(warmUpOf(workload))).toEqual(['none']);
  });
});

const schedulersOf = (workload: Workload) =>
  manifestsOf(workload).map((manifest) => {
    const result = parseManifest(manifest, { namespace: 'default' });
    return 'faults' in result ? result.faults : result.job.gang.scheduler;
  });
