import { describe, expect, it } from '@jest/globals';
import { oncePerMeeting } from '../../../frameworks/kinds/once-per-job.ts';
import { aManifest } from '../manifests.ts';

describe('a value that is computed once per meeting of a job', () => {
  it('is computed for the first call only, and again for another job or meeting', () => {
    let made = 0;
    const count = oncePerMeeting(() => {
      made += 1;
      return made;
    });
    const [one, other] = [aManifest().job(), aManifest().job()];
    expect([count(one, {}), count(one, {}), count(other, {}), count(one, { meeting: 0 })]).toEqual([
      1, 1, 2, 1,
    ]);
    expect([count(one, { meeting: 1 }), count(one, { meeting: 1 }), count(one, {})]).toEqual([3, 3, 1]);
  });
});
