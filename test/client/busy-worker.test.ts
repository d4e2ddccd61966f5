import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { GRPC } from '../../client/servers/temporal-errors.ts';
import { intervene } from '../../client/use-cases/intervene/intervene.ts';

const SERVER_MS = 100;
const request = { workflowId: 'job/ml/train', update: 'suspend', request: { by: 'ada' } };
const serverIsAway = () => Promise.reject(Object.assign(new Error('away'), { code: GRPC.unavailable }));

/** A server with a worker that asked for tasks just now. */
function serverWith(handle: Record<'signal' | 'executeUpdate', () => Promise<void>>): Client {
  const within = <T>(_limit: unknown, call: () => Promise<T>) => call();
  const lastAccessTime = { seconds: Math.floor(Date.now() / 1000) };
  return {
    options: { namespace: 'default' },
    withDeadline: within,
    withAbortSignal: within,
    workflow: { getHandle: () => ({ ...handle, describe: async () => ({ taskQueue: 'signalbox' }) }) },
    workflowService: { describeTaskQueue: async () => ({ pollers: [{ lastAccessTime }] }) },
  } as unknown as Client;
}

const ask = (temporal: Client) =>
  intervene(temporal, request, {
    timeout: SERVER_MS,
    workerTimeout: 60_000,
    describe: () => Promise.reject(new Error('nobody asks')),
  });

describe('a request to a job', () => {
  it('waits longer for a busy worker than for the server', async () => {
    let accepted = false;
    const temporal = serverWith({
      signal: async () => {},
      executeUpdate: async () => {
        await delay(5 * SERVER_MS);
        accepted = true;
      },
    });
    await ask(temporal);
    expect(accepted).toBe(true);
  });

  it('fails when the server stays unavailable, and no worker is queried', async () => {
    let asked = false;
    const temporal = serverWith({
      signal: serverIsAway,
      executeUpdate: async () => {
        asked = true;
      },
    });
    await expect(ask(temporal)).rejects.toThrow('away');
    expect(asked).toBe(false);
  });
});
