import { expect, it } from '@jest/globals';
import type { ArchiverDependencies } from '../../../activities/archive/archiver-dependencies.ts';
import { ArchiverCache, ArchiverSession } from '../../../activities/archive/archiver-session.ts';
import { isStoreAway } from '../../../activities/archive/store-away.ts';
import { FIRST_BEAT } from '../../../contracts/archiver.ts';
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

it('a store that fails every operation is unavailable, and the error says why', async () => {
  const store = storeFailingFor(/./);
  const error = await errorOf(store.create('jobs/a/job.json', Buffer.from('{}')));
  expect(error).toMatchObject({ message: 'memory is full: ENOSPC: no space left on device, write' });
  expect(await isStoreAway({ store }, error)).toBe(true);
});

it('a file that cannot be written does not make the store unavailable', async () => {
  const store = storeFailingFor(/^jobs\/a/);
  const error = await errorOf(store.create('jobs/a/job.json', Buffer.from('{}')));
  expect(await isStoreAway({ store }, error)).toBe(false);
});

it('a damaged archive, or a bug in the code, does not make the store unavailable', async () => {
  const damaged = new DamagedArchiveError('memory:jobs/a/job.json', 'expected JSON');
  const store = storeFailingFor(/./, () => Promise.reject(damaged));
  const error = await errorOf(store.read('jobs/a/job.json'));
  expect(error).toBe(damaged);
  expect(await isStoreAway({ store }, error)).toBe(false);
  expect(await isStoreAway({ store }, new Error('Lone surrogate is not allowed'))).toBe(false);
});

it('a store that hangs is reported, although the round does not end', () => {
  const clock = { ms: 0 };
  const hanging = new MemoryStore(new Map(), () => new Promise<void>(() => undefined));
  const store = new WatchedStore(hanging, () => clock.ms);
  const given = {
    ...{ store, now: () => Date.UTC(2026, 10, 23) },
    ready: () => store.read('any'),
  } as unknown as ArchiverDependencies;
  const session = new ArchiverSession(given, {
    ...{ cache: new ArchiverCache(), last: FIRST_BEAT, signal: new AbortController().signal },
  });
  void session.round();
  clock.ms = 60_000;
  expect(session.beat().problem).toBeUndefined();
  clock.ms = 185_000;
  expect(session.beat().problem).toBe('memory has not answered for 3m5s');
});
