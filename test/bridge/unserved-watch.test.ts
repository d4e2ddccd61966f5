import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { look } from '../../bridge/unserved-watch.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';

/** What `signalbox up` says of jobs that were applied where SIGNALBOX_BRIDGE is false. */

let objects: KubeObject[];
let said: string[];
let stop: AbortController;

beforeEach(() => {
  [objects, said] = [[], []];
  stop = new AbortController();
  jest.useFakeTimers();
  const cluster = {
    serves: async ({ kind }: Resource) => kind === 'PyTorchJob',
    list: async (resource: Resource) => ({
      items: objects.filter(({ kind }) => kind === resource.kind),
      metadata: { resourceVersion: '1' },
    }),
  } as unknown as Parameters<typeof look>[0]['cluster'];
  const log = { warn: (text: string) => void said.push(text), debug: () => undefined };
  void look({ cluster, log: log as never, asked: { takes: 'all' } }, stop.signal);
});

afterEach(() => {
  stop.abort();
  jest.useRealTimers();
});

const seconds = (n: number) => jest.advanceTimersByTimeAsync(n * 1000);

const job = (name: string, more: object = {}): KubeObject => ({
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name, namespace: 'ml', uid: name } },
  ...more,
});

const ENDED = { status: { conditions: [{ type: 'Succeeded', status: 'True' }] } };

describe('without a bridge', () => {
  it('jobs that were applied are named, each once, with the next step', async () => {
    await seconds(30);
    expect(said).toEqual([]);
    objects = [job('train')];
    await seconds(60);
    expect(said).toEqual([expect.stringContaining('that were applied: PyTorchJob ml/train. With')]);
    expect(said[0]).toContain('SIGNALBOX_BRIDGE=auto');
    objects.push(...['a', 'b', 'c', 'd'].map((name) => job(name)));
    await seconds(60);
    expect(said).toHaveLength(2);
    expect(said[1]).toContain('PyTorchJob ml/a, PyTorchJob ml/b, PyTorchJob ml/c and 1 more');
  });

  it('those that have ended, or that others run, are not', async () => {
    const foreign = { spec: { runPolicy: { managedBy: 'kueue.x-k8s.io/multikueue' } } };
    objects = [job('ended', ENDED), job('foreign', foreign)];
    await seconds(30);
    objects = [
      job('theirs'),
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'training-operator' } },
    ];
    await seconds(30);
    expect(said).toEqual([]);
  });
});
