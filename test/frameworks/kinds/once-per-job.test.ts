import { describe, expect, it } from '@jest/globals';
import { oncePerJob } from '../../../frameworks/kinds/once-per-job.ts';
import { aManifest } from '../manifests.ts';

describe('a value that is computed once per job', () => {
  it('is computed for the first call only, and again for another job', () => {
    let made = 0;
    const count = oncePerJob(() => {
      made += 1;
      return made;
    });
    const [one, other] = [aManifest().job(), aManifest().job()];
    expect([count(one), count(one), count(other), count(one)]).toEqual([1, 1, 2, 1]);
  });
});
