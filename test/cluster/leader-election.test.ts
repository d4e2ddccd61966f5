import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import type { ClusterClient } from '../../cluster/client.ts';
import { campaign } from '../../cluster/leader-election.ts';

const HELD = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'watcher', namespace: 'default', resourceVersion: '7' },
  spec: { holderIdentity: 'dead', leaseDurationSeconds: 1 },
};

it('a candidate takes a lease over as soon as it has ended, not at its next usual attempt', async () => {
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
  const lead = async (term: AbortSignal) => {
    if (!term.aborted) await once(term, 'abort');
  };
  const over = campaign(client, { ...options, ...times }, { lead, stop: stop.signal });
  expect(await taken.promise).toBeGreaterThan(1_000);
  stop.abort();
  await over;
});
