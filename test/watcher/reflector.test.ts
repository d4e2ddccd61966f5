import { describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../cluster/client.ts';
import { reflect } from '../../cluster/reflector.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';

describe('a watch that the server ends at once, without an error', () => {
  it('is reopened with growing pauses', async () => {
    const leadership = new AbortController();
    const opened: number[] = [];
    async function* watch() {
      opened.push(Date.now());
      yield* [];
    }
    const list = async () => ({ items: [], metadata: { resourceVersion: '7' } });
    const handlers = { replaced: () => undefined, changed: () => undefined, deleted: () => undefined };
    const following = reflect(
      { list, watch } as unknown as ClusterClient,
      { resource: PODS },
      handlers,
      leadership.signal,
    );
    await eventually('it was opened six times', () => opened.length >= 6, { withinMs: 60_000, everyMs: 1 });
    leadership.abort();
    await following;
    const [first = 0, , , , , last = 0] = opened;
    // Five pauses, each at least half of 100, 200, 400, 800 and 1,600 ms.
    expect(last - first).toBeGreaterThanOrEqual(1_500);
  });
});
