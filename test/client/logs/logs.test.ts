import { describe, expect, it } from '@jest/globals';
import { NoLogError } from '../../../client/errors.ts';
import { readLogs } from '../../../client/logs/logs.ts';
import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';

/** A cluster that lists these pods; of those that are `gone` by the time there is no log. */
function clusterOf(pods: readonly string[], gone: readonly string[]): ClusterClient {
  const items = pods.map((name) => ({
    metadata: { name, namespace: 'ml' },
    spec: { nodeName: 'a-node', containers: [{ name: 'main' }] },
  }));
  const reads = {
    server: 'https://cluster',
    find: async () => undefined,
    list: async () => ({ items }),
    log: async (_: string, pod: string) => {
      if (gone.includes(pod))
        throw new ApiError(`GET ${pod}`, { status: 404, reason: 'NotFound', message: 'not found' });
      return (async function* () {
        yield Buffer.from(`of ${pod}\n`);
      })();
    },
  };
  return reads as unknown as ClusterClient;
}

const JOB = {
  name: 'train',
  namespace: 'ml',
  phase: 'Completed',
  firstRunId: 'any',
  end: async () => undefined,
} as const;

async function linesOf(cluster: ClusterClient): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of readLogs(cluster, JOB, { all: true })) lines.push(text);
  return lines;
}

describe('logs of a job that has just ended', () => {
  it('leave out a pod that goes between the list and its log', async () => {
    const cluster = clusterOf(['train-master-0', 'train-worker-0'], ['train-worker-0']);
    expect(await linesOf(cluster)).toEqual(['of train-master-0']);
  });

  it('are refused in words when all of its pods go', async () => {
    const cluster = clusterOf(['train-master-0'], ['train-master-0']);
    await expect(linesOf(cluster)).rejects.toThrow(NoLogError);
  });
});
