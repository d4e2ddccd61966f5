import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import { followNodes } from '../../../watcher/informers/node-informer.ts';
import { Readiness } from '../../../watcher/informers/readiness.ts';
import { NodeStore } from '../../../watcher/nodes/node-store.ts';

describe('a watcher that may not read nodes', () => {
  it('says so, holds nobody up, knows of no trouble, and does not ask all the time', async () => {
    const term = new AbortController();
    let asked = 0;
    const list = async () => {
      asked++;
      throw new ApiError('GET /api/v1/nodes', { status: 403, reason: 'Forbidden', message: 'not for you' });
    };
    const cluster = { list } as unknown as ClusterClient;
    const said = Promise.withResolvers<string>();
    const log = pino({ level: 'info' }, { write: (line: string) => said.resolve(JSON.parse(line).msg) });
    const nodes = new NodeStore({ changed: () => undefined, occupied: () => ['gpu-1'] });
    const listed = Promise.withResolvers<void>();
    const following = followNodes(
      { cluster, readiness: new Readiness(), log },
      { nodes, onListed: listed.resolve },
      term.signal,
    );
    await listed.promise;
    expect(await said.promise).toBe('no permission to read nodes: jobs get no digests of node problems');
    expect(nodes.resourceVersion).toBeUndefined();
    expect(nodes.conditionOf('gpu-1')).toBeUndefined();
    term.abort();
    await following;
    expect(asked).toBe(1);
  });
});
