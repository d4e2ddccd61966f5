import { expect, it } from '@jest/globals';
import type { ArchiverDependencies } from '../../../activities/archive/archiver-dependencies.ts';
import { ArchiverCache, ArchiverSession } from '../../../activities/archive/archiver-session.ts';
import { FIRST_BEAT } from '../../../contracts/archiver.ts';
import { WatchedStore } from '../../../record/archive/watched-store.ts';
import { MemoryStore } from '../../record/log/memory-store.ts';

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
