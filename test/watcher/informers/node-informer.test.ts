import { describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import { Readiness } from '../../../leader/readiness.ts';
import { followNodes } from '../../../watcher/informers/node-informer.ts';
import { NodeStore } from '../../../watcher/nodes/node-store.ts';
import { eventually } from '../../eventually.ts';

describe('a watcher without the permission to read nodes', () => {
  it('reports that, blocks nothing, knows no trouble, and asks rarely', async () => {
    const leadership = new AbortController();
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
      leadership.signal,
    );
    await listed.promise;
    expect(await said.promise).toBe('no permission to read nodes: jobs get no digests of node problems');
    expect(nodes.resourceVersion).toBeUndefined();
    expect(nodes.conditionOf('gpu-1')).toBeUndefined();
    leadership.abort();
    await following;
    expect(asked).toBe(1);
  });
});

it('a watcher that loses the permission to read nodes drops them, and reports the stream', async () => {
  const leadership = new AbortController();
  const error = new ApiError('GET /api/v1/nodes', {
    ...{ status: 403, reason: 'Forbidden', message: 'not for you' },
  });
  const cluster = {
    list: async () => ({ items: [], metadata: { resourceVersion: '7' } }),
    async *watch() {
      yield await Promise.reject(error);
    },
  } as unknown as ClusterClient;
  const readiness = new Readiness();
  const nodes = new NodeStore({ changed: () => undefined, occupied: () => [] });
  const received: (number | undefined)[] = [];
  const onListed = () => void received.push(nodes.resourceVersion);
  const log = pino({ level: 'silent' });
  const following = followNodes({ cluster, readiness, log }, { nodes, onListed }, leadership.signal);
  await eventually('it has forgotten them', () => received.length > 1 && received.at(-1) === undefined);
  expect(received[0]).toBe(7);
  expect(readiness.streams.interruptions(Date.now() + 60_000)).toMatchObject([{ stream: 'v1/nodes' }]);
  leadership.abort();
  await following;
});
