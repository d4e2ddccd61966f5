import { expect, it } from '@jest/globals';
import { PausedItems } from '../../../watcher/anchors/paused-items.ts';

it('a failing item is due after growing pauses, and at once after a success', () => {
  const items = new PausedItems({ firstMs: 10, mostMs: 50 });
  const due: number[] = [];
  for (let now = 0; now <= 200; now += 5) {
    if (!items.isDue('a', now)) continue;
    due.push(now);
    items.pause('a', now);
  }
  expect(due).toEqual([0, 10, 30, 70, 120, 170]);
  items.resume('a');
  expect([items.isDue('a', 200), items.size]).toEqual([true, 0]);
});

it('deleted items are dropped', () => {
  const items = new PausedItems({ firstMs: 10, mostMs: 50 });
  for (const key of ['a', 'b']) items.pause(key, 0);
  items.keepOnly(['b', 'c']);
  expect([items.has('a'), items.has('b'), items.has('c')]).toEqual([false, true, false]);
});
