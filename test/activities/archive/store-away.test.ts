import { expect, it } from '@jest/globals';
import { isStoreAway } from '../../../activities/archive/store-away.ts';
import { DamagedArchiveError } from '../../../record/archive/archive-errors.ts';
import { WatchedStore } from '../../../record/archive/watched-store.ts';
import { MemoryStore } from '../../record/log/memory-store.ts';

const full = () =>
  Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));

/** A store whose requests fail for the keys that match. */
const storeFailingFor = (pattern: RegExp, fails: () => Promise<never> = full) => {
  const store = new MemoryStore(new Map(), (_, key) => (pattern.test(key) ? fails() : undefined));
  store.examine = () => store.read('probe').then(() => undefined);
  return new WatchedStore(store);
};

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it('a store that does not work for anything is away, and the error says what is wrong with it', async () => {
  const store = storeFailingFor(/./);
  const error = await errorOf(store.create('jobs/a/job.json', Buffer.from('{}')));
  expect(error).toMatchObject({ message: 'memory is full: ENOSPC: no space left on device, write' });
  expect(await isStoreAway({ store }, error)).toBe(true);
});

it('one file that cannot be written is no fault of the store', async () => {
  const store = storeFailingFor(/^jobs\/a/);
  const error = await errorOf(store.create('jobs/a/job.json', Buffer.from('{}')));
  expect(await isStoreAway({ store }, error)).toBe(false);
});

it('neither is one damaged archive, nor a fault of the code that makes one', async () => {
  const damaged = new DamagedArchiveError('memory:jobs/a/job.json', 'expected JSON');
  const store = storeFailingFor(/./, () => Promise.reject(damaged));
  const error = await errorOf(store.read('jobs/a/job.json'));
  expect(error).toBe(damaged);
  expect(await isStoreAway({ store }, error)).toBe(false);
  expect(await isStoreAway({ store }, new Error('Lone surrogate is not allowed'))).toBe(false);
});
