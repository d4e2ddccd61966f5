import { describe, expect, it } from '@jest/globals';
import { oncePerJob } from '../../../frameworks/kinds/once-per-job.ts';
import { aManifest } from '../manifests.ts';

describe('what is made once per job', () => {
  it('is made for the first question only, and anew for another job', () => {
    let made = 0;
    const count = oncePerJob(() => {
      made += 1;
      return made;
    });
    const [one, other] = [aManifest().job(), aManifest().job()];
    expect([count(one), count(one), count(other), count(one)]).toEqual([1, 1, 2, 1]);
  });
});
