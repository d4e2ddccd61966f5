import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '../../contracts/kubernetes.ts';

export interface FakeCluster {
  readonly kubeconfig: string;
  close(): Promise<void>;
}

const GPU = 'nvidia.com/gpu';

/** An API server that only lists nodes and pods: 14 nodes with 8 GPUs, of which some are held. */
export async function openFakeCluster(): Promise<FakeCluster> {
  const lists: Readonly<Record<string, readonly object[]>> = { nodes: NODES, pods: PODS };
  const server = createServer((request, response) => {
    const [, what = ''] = /^\/api\/v1\/(\w+)(?:\?|$)/.exec(request.url ?? '') ?? [];
    const items = lists[what];
    response.statusCode = items ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(items ? { apiVersion: 'v1', kind: 'List', metadata: {}, items } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-fake-cluster-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const { port } = server.address() as AddressInfo;
  await writeFile(kubeconfig, JSON.stringify(configOf(`http://127.0.0.1:${port}`)));
  return {
    kubeconfig,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

const configOf = (server: string) => ({
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'fake' },
  clusters: [{ name: 'fake', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'fake', user: {} }],
  contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
});

const nameOf = (number: number) => `gpu-${String(number).padStart(2, '0')}`;

const NODES: readonly object[] = Array.from({ length: 14 }, (_, number) => ({
  metadata: { name: nameOf(number) },
  status: { allocatable: { cpu: '64', [GPU]: '8' }, conditions: [] },
}));

const pod = (
  name: string,
  on: string | undefined,
  { job, isReady = true, gpus = 8, namespace = 'ml' }: Held,
): object => ({
  metadata: { name, namespace, labels: job === undefined ? {} : { 'signalbox.dev/job': job } },
  spec: {
    nodeName: on,
    containers: [{ name: 'main', image: 'a', resources: { limits: { [GPU]: gpus } } }],
  },
  status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

interface Held {
  readonly job?: string;
  readonly isReady?: boolean;
  readonly gpus?: number;
  readonly namespace?: string;
}

/** Two jobs that run, a gang of which a pod has no node, and a notebook. */
const PODS: readonly object[] = [
  ...Array.from({ length: 6 }, (_, number) => pod(`train-${number}`, nameOf(number), { job: 'train' })),
  ...[6, 7].map((number) =>
    pod(`llama-${number}`, nameOf(number), { job: 'llama-8b-sft', namespace: 'nlp' }),
  ),
  ...[8, 9].map((number) =>
    pod(`bert-${number}`, nameOf(number), { job: 'bert-large', namespace: 'nlp', isReady: false }),
  ),
  pod('bert-10', undefined, { job: 'bert-large', namespace: 'nlp', isReady: false }),
  pod('notebook', nameOf(10), { gpus: 3, namespace: 'vision' }),
] satisfies readonly (object | KubeObject)[];
