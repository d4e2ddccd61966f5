import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import { runLeaderElection } from '../../cluster/leader-election.ts';

const CONFLICT = new ApiError('PUT lease', { status: 409, reason: 'Conflict', message: 'it was changed' });

const HELD = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'watcher', namespace: 'default', resourceVersion: '7' },
  spec: { holderIdentity: 'dead', leaseDurationSeconds: 1 },
};

it('a candidate acquires a lease as soon as it has expired, not at its next usual attempt', async () => {
  const since = Date.now();
  const stop = new AbortController();
  const taken = Promise.withResolvers<number>();
  const client = {
    find: async () => HELD,
    watch: async function* () {
      await new Promise(() => undefined);
    },
    replace: async (_: unknown, lease: typeof HELD) => {
      taken.resolve(Date.now() - since);
      return { ...lease, metadata: { ...lease.metadata, resourceVersion: '8' } };
    },
  } as unknown as ClusterClient;
  const options = { namespace: 'default', name: 'watcher', identity: 'next', installation: 'one' };
  // The next usual attempt would be after the test's time limit.
  const times = { durationMs: 1_000, renewMs: 600_000 };
  const lead = async (leadership: AbortSignal) => {
    if (!leadership.aborted) await once(leadership, 'abort');
  };
  const over = runLeaderElection(
    client,
    { ...options, ...times },
    { onStartedLeading: lead, stop: stop.signal },
  );
  expect(await taken.promise).toBeGreaterThan(1_000);
  stop.abort();
  await over;
});

it('a candidate acquires the lease of an ended process at once', async () => {
  const stop = new AbortController();
  const held = { ...HELD, spec: { ...HELD.spec, leaseDurationSeconds: 3_600 } };
  const taken = Promise.withResolvers<string>();
  const client = {
    find: async () => held,
    replace: async (_: unknown, lease: typeof HELD) => {
      taken.resolve(lease.spec.holderIdentity);
      return { ...lease, metadata: { ...lease.metadata, resourceVersion: '8' } };
    },
  } as unknown as ClusterClient;
  const options = { namespace: 'default', name: 'watcher', identity: 'next', installation: 'one' };
  const hasEnded = (identity: string) => identity === 'dead';
  const lead = async (leadership: AbortSignal) => {
    if (!leadership.aborted) await once(leadership, 'abort');
  };
  // The lease, and the pause until the next attempt, last longer than the test may.
  const times = { durationMs: 3_600_000, renewMs: 600_000 };
  const over = runLeaderElection(
    client,
    { ...options, ...times, hasEnded },
    { onStartedLeading: lead, stop: stop.signal },
  );
  expect(await taken.promise).toBe('next');
  stop.abort();
  await over;
});

describe('a leader that has lost its lease', () => {
  it.each([
    ['is resumed if nobody else has led since', 0, [false, true]],
    ['is not if somebody has', 1, [false, false]],
  ] as const)('%s', async (_, others, expected) => {
    const stop = new AbortController();
    const terms: boolean[] = [];
    let version = 1;
    let lease: typeof HELD | undefined;
    const put = (next: unknown) => {
      lease = { ...(next as typeof HELD) };
      lease.metadata = { ...lease.metadata, uid: 'one', resourceVersion: String(version++) } as never;
      return lease;
    };
    const client = {
      find: async () => lease,
      create: async (__: unknown, next: unknown) => put(next),
      replace: async (__: unknown, next: unknown) => put(next),
    } as unknown as ClusterClient;
    const lead = async (_term: AbortSignal, isResumed: boolean) => {
      terms.push(isResumed);
      if (terms.length === 2) stop.abort();
      const { spec, ...held } = lease as unknown as { spec: { leaseTransitions: number } };
      put({ ...held, spec: { ...spec, leaseTransitions: spec.leaseTransitions + others } });
    };
    const options = { namespace: 'default', name: 'watcher', identity: 'next', installation: 'one' };
    await runLeaderElection(
      client,
      { ...options, durationMs: 15_000, renewMs: 10 },
      { onStartedLeading: lead, stop: stop.signal },
    );
    expect(terms).toEqual(expected);
  });
});

it('a leader that stops while it renews its lease releases it', async () => {
  const stop = new AbortController();
  const leads = Promise.withResolvers<void>();
  const renews = Promise.withResolvers<void>();
  let stored: typeof HELD | undefined;
  /** As the API server: refuses what was read before the last write. */
  const write = (lease: typeof HELD): typeof HELD => {
    const { resourceVersion = '0' } = stored?.metadata ?? {};
    if ((lease.metadata.resourceVersion ?? '0') !== resourceVersion) throw CONFLICT;
    stored = {
      ...lease,
      metadata: { ...lease.metadata, resourceVersion: String(Number(resourceVersion) + 1) },
    };
    return stored;
  };
  let looks = 0;
  const client = {
    find: async () => {
      // The second look belongs to a renewal. It sees the lease only after the leader was told to stop.
      if (++looks === 2) {
        renews.resolve();
        await once(stop.signal, 'abort');
        await delay(100);
      }
      return stored;
    },
    create: async (_: unknown, lease: typeof HELD) => write(lease),
    replace: async (_: unknown, lease: typeof HELD) => write(lease),
  } as unknown as ClusterClient;
  const options = { namespace: 'default', name: 'watcher', identity: 'first', installation: 'one' };
  const lead = async (leadership: AbortSignal) => {
    leads.resolve();
    if (!leadership.aborted) await once(leadership, 'abort');
  };
  const over = runLeaderElection(
    client,
    { ...options, durationMs: 60_000, renewMs: 10 },
    { onStartedLeading: lead, stop: stop.signal },
  );
  await leads.promise;
  await renews.promise;
  stop.abort();
  await over;
  // What the renewal does is done after that.
  await delay(300);
  expect(stored).toMatchObject({ spec: { leaseDurationSeconds: 1 } });
  expect(stored!.spec.holderIdentity).toBeUndefined();
});
