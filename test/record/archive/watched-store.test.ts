import { expect, it } from '@jest/globals';
import { WatchedStore } from '../../../record/archive/watched-store.ts';
import { MemoryStore } from '../log/memory-store.ts';

const BYTES = Buffer.from('{}');

/** A store that answers when it is told to, and a clock that stands still until it is moved. */
function hangingStore() {
  const clock = { ms: 1_000 };
  const answers: (() => void)[] = [];
  const store = new MemoryStore(new Map(), () => new Promise<void>((answer) => void answers.push(answer)));
  return { clock, answers, store: new WatchedStore(store, () => clock.ms) };
}

it('a watched store knows for how long its oldest request has had no answer', async () => {
  const { clock, answers, store } = hangingStore();
  expect(store.silentMs()).toBe(0);
  const first = store.create('a', BYTES);
  clock.ms += 40;
  const second = store.read('a');
  clock.ms += 2;
  expect(store.silentMs()).toBe(42);
  answers[0]!();
  expect(await first).toBe(true);
  expect(store.silentMs()).toBe(2);
  answers[1]!();
  expect(await second).toEqual(BYTES);
  expect(store.silentMs()).toBe(0);
});

it('a watched store counts an error as an answer', async () => {
  const full = new MemoryStore(new Map(), () => Promise.reject(new Error('full')));
  const store = new WatchedStore(full, () => 0);
  await expect(store.replace('a', BYTES)).rejects.toThrow('full');
  expect(store.silentMs()).toBe(0);
});

it('a watched store ignores the time between two keys of a list', async () => {
  const clock = { ms: 0 };
  const files = new Map([
    ['a', BYTES],
    ['b', BYTES],
  ]);
  const store = new WatchedStore(new MemoryStore(files), () => clock.ms);
  const keys: string[] = [];
  for await (const key of store.list('')) {
    keys.push(key);
    clock.ms += 60_000;
    expect(store.silentMs()).toBe(0);
  }
  expect(keys).toEqual(['a', 'b']);
});
