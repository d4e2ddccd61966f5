import { describe, expect, it } from '@jest/globals';
import { cachedOnce } from '../../worker/cached-once.ts';

/** Asks somebody who gives these answers, one after the other; an error is thrown. */
function asking(...answers: readonly (string | undefined | Error)[]) {
  const clock = { ms: 0 };
  let asked = 0;
  const known = cachedOnce(
    async () => {
      const answer = answers[asked++];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => clock.ms,
  );
  return { clock, known, asked: () => asked };
}

describe('a value that a worker has to know', () => {
  it('is looked up once', async () => {
    const { known, clock, asked } = asking('cluster');
    expect(await Promise.all([known(), known()])).toEqual(['cluster', 'cluster']);
    clock.ms += 86_400_000;
    expect(await known()).toBe('cluster');
    expect(asked()).toBe(1);
  });

  it('is looked up again after a minute, if it was unknown', async () => {
    const { known, clock, asked } = asking(undefined, 'cluster');
    expect(await known()).toBeUndefined();
    clock.ms += 59_000;
    expect(await known()).toBeUndefined();
    expect(asked()).toBe(1);
    clock.ms += 1_000;
    expect(await known()).toBe('cluster');
    clock.ms += 3_600_000;
    expect(await known()).toBe('cluster');
    expect(asked()).toBe(2);
  });

  it('is looked up again at once after an error', async () => {
    const { known } = asking(new Error('away'), 'cluster');
    await expect(known()).rejects.toThrow('away');
    expect(await known()).toBe('cluster');
  });
});
