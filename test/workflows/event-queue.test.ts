import { describe, expect, it } from '@jest/globals';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { EventQueue } from '../../workflows/event-queue.ts';
import { aDigest } from '../machines/builders.ts';

const timer = (name: string): JobEvent => ({ type: 'deadline', name, at: 2 });
const digest = (resourceVersion: number) => aDigest(resourceVersion).build();
/** Names of timers, and of digests the resource version of the pods. */
const eventsIn = (queue: EventQueue) =>
  queue
    .takeAll()
    .map((event) =>
      event.type === 'digest' ? event.digest.resourceVersions.pods : 'name' in event && event.name,
    );

describe('the event queue of a job', () => {
  it('keeps the order of arrival, a digest before a later timer', () => {
    const queue = new EventQueue();
    queue.push(timer('recovery'));
    queue.pushDigest(digest(5), 1);
    queue.push(timer('activeDeadline'));
    expect(eventsIn(queue)).toEqual(['recovery', 5, 'activeDeadline']);
    expect(queue.isEmpty()).toBe(true);
  });

  it('has only the newest digest, at the place of the first', () => {
    const queue = new EventQueue();
    queue.pushDigest(digest(5), 1);
    queue.push(timer('stall'));
    queue.pushDigest(digest(7), 3);
    queue.pushDigest(digest(6), 4);
    expect(eventsIn(queue)).toEqual([7, 'stall']);
  });

  it('keeps the deletion of the anchor, whatever its resource version', () => {
    const queue = new EventQueue();
    queue.pushDigest(digest(5), 1);
    queue.pushDigest(aDigest(3).withoutAnchor().build(), 2);
    expect(queue.take()).toMatchObject({ type: 'digest', digest: { anchorDeleted: true }, at: 2 });
  });

  it('keeps a digest of its anchor when another anchor of its name sends one', () => {
    const queue = new EventQueue();
    queue.pushDigest(digest(900), 1);
    queue.pushDigest({ ...aDigest(899).withoutAnchor().build(), anchor: 'predecessor' }, 2);
    queue.pushDigest(digest(901), 3);
    expect(eventsIn(queue)).toEqual([901, 899]);
  });

  it('begins with the events of an earlier run', () => {
    const queue = new EventQueue([{ type: 'digest', digest: digest(5), at: 1 }, timer('hold')]);
    queue.push(timer('stall'));
    queue.pushDigest(digest(6), 3);
    expect(eventsIn(queue)).toEqual([6, 'hold', 'stall']);
  });
});
