import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';

interface Found {
  readonly count: number;
}

it('takes too long', async () => {
  await new Promise(() => undefined);
}, 200);

it('finds something else', () => {
  const found: Found = { count: 1 };
  expect(found).toEqual({ count: 2 });
});

it('leaves a rejection', async () => {
  void Promise.reject(new Error('nobody waits for this'));
  await delay(20);
});

it('throws in a timer', async () => {
  setTimeout(() => {
    throw new Error('thrown in a timer');
  });
  await delay(50);
});

it('asserts nothing', () => {
  expect.hasAssertions();
});

describe('a block that cannot be set up', () => {
  beforeAll(() => {
    throw new Error('no set-up');
  });

  it('is not tried', () => undefined);
});

describe('a block that is tried again', () => {
  let tries = 0;
  jest.retryTimes(1);

  it('passes', () => {
    tries += 1;
    expect(tries).toBe(2);
  });
});
