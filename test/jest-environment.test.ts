import { describe, it } from '@jest/globals';

/** Each can only pass while the other runs. */
const arrived = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };

describe('a concurrent test', () => {
  it.concurrent('runs beside those of other blocks of its file', async () => {
    arrived.first.resolve();
    await arrived.second.promise;
  }, 10_000);
});

describe('another one', () => {
  describe('in a block within a block', () => {
    it.concurrent('does so, too', async () => {
      arrived.second.resolve();
      await arrived.first.promise;
    }, 10_000);
  });
});

describe('one that has just ended', () => {
  const ended = Promise.withResolvers<void>();

  it.concurrent('ends', async () => ended.resolve());

  it.concurrent('keeps no other from imports', async () => {
    await ended.promise;
    await new Promise((resolve) => setImmediate(resolve));
    await import('./eventually.ts');
  });
});
