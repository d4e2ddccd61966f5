import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { reflect } from '../../cluster/reflector.ts';
import { NODES, PODS, type Resource, streamOf } from '../../contracts/kubernetes.ts';
import { Readiness } from '../../leader/readiness.ts';
import { TOLERATED_MS } from '../../leader/streams.ts';
import { eventually } from '../eventually.ts';
import { WAYS } from '../simulation/api-network.ts';
import { FaultyCluster } from '../watcher/faulty-cluster.ts';
import { aPod, READY } from '../watcher/fixtures.ts';

/** Whether a watcher knows that it has gone blind, for what, and since when. */

let cluster: FaultyCluster;
let readiness: Readiness;
let leadership: AbortController;
let replaced: number;
let changed: number;

beforeEach(() => {
  cluster = new FaultyCluster();
  readiness = new Readiness();
  leadership = new AbortController();
  [replaced, changed] = [0, 0];
});

afterEach(() => {
  leadership.abort();
  cluster.close();
});

const soon = { everyMs: 5, withinMs: 30_000 };

async function follow(resource: Resource): Promise<void> {
  const client = readiness.streams.clientFor(streamOf(resource), cluster.client);
  const handlers = {
    replaced: () => void replaced++,
    changed: () => void changed++,
    deleted: () => undefined,
  };
  void reflect(client, { resource }, handlers, leadership.signal);
  await eventually('it is listed', () => replaced > 0, soon);
}

const seconds = (stream: string) => readiness.streams.interruptedSeconds().get(stream);
const later = () => readiness.streams.interruptions(Date.now() + TOLERATED_MS + 1_000);

describe('a stream that is read', () => {
  it('is not interrupted, however long nothing happens', async () => {
    await follow(PODS);
    expect([later(), seconds('v1/pods')]).toEqual([[], 0]);
  });

  it('is interrupted while it cannot be read, since its first error', async () => {
    const since = Date.now();
    await follow(PODS);
    cluster.blind('pods', 'forbidden');
    await eventually('it was tried', () => (cluster.spoiled.pods ?? 0) > 1, soon);
    expect(readiness.streams.interruptions()).toEqual([]);
    expect(readiness.streams.interruptedSeconds(Date.now() + 1_000).get('v1/pods')).toBeGreaterThanOrEqual(1);
    const [interruption] = later();
    expect(interruption).toMatchObject({ stream: 'v1/pods', why: expect.stringContaining('403 Forbidden') });
    expect(interruption!.since).toBeGreaterThanOrEqual(since);
    cluster.heal();
    await eventually('it is read again', () => seconds('v1/pods') === 0, soon);
    expect(later()).toEqual([]);
  });

  it.each(WAYS)('is read again after %s', async (way) => {
    await follow(PODS);
    cluster.blind('pods', way);
    cluster.apply('pods', aPod({ status: READY }));
    if (way === 'dead connection') readiness.streams.reopen('v1/pods', 'default');
    else await eventually('it was noticed', () => (cluster.spoiled.pods ?? 0) > 0, soon);
    cluster.heal();
    await eventually('it is read', () => changed > 0 || replaced > 1, soon);
    // What was read may have come before the connection broke.
    await eventually('it is not interrupted', () => seconds('v1/pods') === 0, soon);
  });

  it('is not interrupted when the watcher ends', async () => {
    await follow(PODS);
    leadership.abort();
    expect(seconds('v1/pods')).toBe(0);
  });
});

it('a connection that breaks after a quiet minute, and is reopened at once, is no interruption', () => {
  jest.useFakeTimers();
  const broken = async () => {
    throw new Error('reset');
  };
  const { list } = readiness.streams.clientFor('v1/pods', { list: broken, watch: cluster.client.watch });
  jest.advanceTimersByTime(60_000);
  return expect(list(PODS))
    .rejects.toThrow('reset')
    .then(() => {
      expect(readiness.streams.interruptions()).toEqual([]);
      jest.advanceTimersByTime(TOLERATED_MS + 1);
      expect(readiness.streams.interruptions()).toMatchObject([{ stream: 'v1/pods', why: 'reset' }]);
    })
    .finally(() => jest.useRealTimers());
});

describe('a watcher', () => {
  it.each([
    [PODS, 'v1/pods', true],
    [NODES, 'v1/nodes', false],
  ] as const)(
    '%s: is not ready without the stream, or runs without it',
    async (resource, stream, isVital) => {
      await follow(resource);
      const interrupted = { stream, since: Date.parse('2026-01-01T00:00:00Z'), why: 'refused' };
      readiness.streams.interruptions = () => [interrupted];
      const text = `${stream}: interrupted since 2026-01-01T00:00:00.000Z: refused`;
      expect([readiness.why(), readiness.impairedBy()]).toEqual(
        isVital ? [text, undefined] : [undefined, text],
      );
      readiness.clear();
      expect(readiness.streams.interruptedSeconds().size).toBe(0);
    },
  );
});
