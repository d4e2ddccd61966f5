import { expect, it } from '@jest/globals';
import type { ArchiverDependencies } from '../../../activities/archive/archiver-dependencies.ts';
import { Shift, ShiftMemory } from '../../../activities/archive/shift.ts';
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
  const shift = new Shift(given, {
    ...{ memory: new ShiftMemory(), last: FIRST_BEAT, signal: new AbortController().signal },
  });
  void shift.round();
  clock.ms = 60_000;
  expect(shift.beat().problem).toBeUndefined();
  clock.ms = 185_000;
  expect(shift.beat().problem).toBe('memory has not answered for 3m5s');
});
