import { beforeAll, describe, expect, it } from '@jest/globals';

/** Each concurrent test can only pass while another one runs. */
const arrived = {
  one: Promise.withResolvers<void>(),
  other: Promise.withResolvers<void>(),
  inBlock: Promise.withResolvers<void>(),
  besideIt: Promise.withResolvers<void>(),
};

describe('a concurrent test', () => {
  it.concurrent('runs beside those of other blocks', async () => {
    arrived.one.resolve();
    await arrived.other.promise;
  }, 10_000);
});

describe('a block', () => {
  describe('within a block', () => {
    it.concurrent('has concurrent tests, too', async () => {
      arrived.other.resolve();
      await arrived.one.promise;
    }, 10_000);
  });
});

describe('a block with hooks', () => {
  let isSetUp = false;

  beforeAll(async () => {
    isSetUp = true;
  });

  it.concurrent('runs its concurrent tests after its beforeAll hooks', async () => {
    expect(isSetUp).toBe(true);
    arrived.inBlock.resolve();
    await arrived.besideIt.promise;
  }, 10_000);

  it.concurrent('runs its concurrent tests side by side', async () => {
    expect(isSetUp).toBe(true);
    arrived.besideIt.resolve();
    await arrived.inBlock.promise;
  }, 10_000);
});

describe('a test after blocks with concurrent tests', () => {
  it('runs after them', async () => {
    await Promise.all([arrived.one.promise, arrived.other.promise]);
  }, 100);
});

describe('a concurrent test that ends', () => {
  const ended = Promise.withResolvers<void>();

  it.concurrent('ends', async () => ended.resolve());

  it.concurrent('does not block the imports of another one', async () => {
    await ended.promise;
    await new Promise((resolve) => setImmediate(resolve));
    await import('../eventually.ts');
  });
});
