import { afterEach, describe, expect, it } from '@jest/globals';
import { NoLogError } from '../../../../client/errors/errors.ts';
import { explainWaiting } from '../../../../client/use-cases/pods/explain-unstarted.ts';
import type { JobLogOptions } from '../../../../client/use-cases/pods/log-options.ts';
import { readLogs } from '../../../../client/use-cases/pods/logs.ts';
import type { ClusterClient } from '../../../../cluster/client.ts';
import { ApiError } from '../../../../cluster/errors.ts';
import type { Pod } from '../../../../contracts/kubernetes.ts';
import type { EvidenceRecord, Phase } from '../../../../contracts/types.ts';

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

/** What evidence has of the job. */
let recorded: EvidenceRecord[] = [];
afterEach(() => {
  recorded = [];
});

const recordOf = (pod: string, lines: readonly string[]): EvidenceRecord => ({
  ...{ version: 1, anchorUid: 'a', failedAt: '2026-11-23T08:00:00Z', pod: { conditions: [] }, events: [] },
  job: { kind: 'PyTorchJob', namespace: 'ml', name: 'train' },
  summary: {
    ...{ pod, uid: pod, attempt: 1, takenAt: '2026-11-23T08:00:00Z', container: 'main' },
    ...{ role: pod.split('-')[1]!, index: Number(pod.split('-')[2]) },
  },
  containers: [{ name: 'main', restarts: 0, log: { lines, isCut: false } }],
});

const JOB = {
  name: 'train',
  namespace: 'ml',
  phase: 'Completed',
  firstRunId: 'any',
  end: async () => ({ phase: 'Completed' as const }),
  evidence: async function* () {
    yield* recorded;
  },
} as const;

async function linesOf(
  cluster: ClusterClient,
  options: JobLogOptions = { all: true },
  phase: Phase = 'Completed',
): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of readLogs(cluster, { ...JOB, phase }, options)) lines.push(text);
  return lines;
}

describe('logs of a job that has just ended', () => {
  it('leave out a pod that is deleted between the list and its log', async () => {
    const cluster = clusterOf(['train-master-0', 'train-worker-0'], ['train-worker-0']);
    expect(await linesOf(cluster)).toEqual(['of train-master-0']);
  });

  it('are read from the evidence of its failed pods when its pods are gone', async () => {
    recorded = [recordOf('train-worker-1', ['a', 'b', 'c']), recordOf('train-master-0', ['d'])];
    const cluster = clusterOf([], []);
    expect(await linesOf(cluster, {})).toEqual(['a', 'b', 'c', 'd']);
    expect(await linesOf(cluster, { role: 'Worker', tailLines: 2 })).toEqual(['b', 'c']);
    expect(await linesOf(cluster, { pod: 'train-master-0' })).toEqual(['d']);
    await expect(linesOf(cluster, { index: 7 })).rejects.toThrow('its pods are gone');
    await expect(linesOf(cluster, {}, 'Running')).rejects.toThrow('has no pods yet');
  });

  it('are refused with a reason when all of its pods are deleted', async () => {
    const cluster = clusterOf(['train-master-0'], ['train-master-0']);
    await expect(linesOf(cluster)).rejects.toThrow(NoLogError);
  });
});

describe('a job that ends before a pod was seen running', () => {
  it('has its log also for a follower', async () => {
    const cluster = clusterOf(['train-master-0'], []);
    expect(await linesOf(cluster, { follow: true }, 'Running')).toEqual(['of train-master-0']);
  });

  it('has the log of its failed pods when its pods are gone', async () => {
    recorded = [recordOf('train-master-0', ['boom'])];
    expect(await linesOf(clusterOf([], []), { follow: true }, 'Running')).toEqual(['boom']);
  });

  it('may have no log', async () => {
    expect(await linesOf(clusterOf([], []), { follow: true }, 'Running')).toEqual([]);
  });
});

describe('a pod that has not started', () => {
  const aPod = (status: object, nodeName?: string) =>
    ({ metadata: { name: 'p' }, spec: { nodeName, containers: [] }, status }) as unknown as Pod;
  const waiting = (reason: string, message?: string) => ({
    containerStatuses: [{ name: 'main', state: { waiting: { reason, message } } }],
  });

  it.each([
    [aPod({}), 'it has no node yet'],
    [
      aPod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/2 nodes are available.' }] }),
      'it has no node yet (0/2 nodes are available)',
    ],
    [aPod({}, 'n'), 'the node prepares the pod'],
    [aPod(waiting('ContainerCreating'), 'n'), 'the node prepares the pod'],
    [
      aPod(waiting('ImagePullBackOff', 'no such tag'), 'n'),
      'the image cannot be pulled (ImagePullBackOff: no such tag)',
    ],
    [aPod(waiting('Odd'), 'n'), 'its container waits with Odd'],
  ])('is reported with what it waits for: %#', (pod, sentence) => {
    expect(explainWaiting(pod)).toBe(sentence);
  });
});
