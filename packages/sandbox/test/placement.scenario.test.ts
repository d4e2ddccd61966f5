import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ClusterClient } from '../../../cluster/client.ts';
import { PODS } from '../../../contracts/kubernetes.ts';
import { ensureSandbox } from '../sandbox.ts';
import { emptyDir, FIRST_RUN_MS, removeSandbox, stateOf, throwaway, until } from './support.ts';

let dir: string;
let cluster: ClusterClient;

beforeAll(async () => {
  dir = await emptyDir();
  cluster = await ClusterClient.connect(await ensureSandbox({ ...throwaway, dir }));
}, FIRST_RUN_MS);

afterAll(async () => {
  await cluster?.close();
  await removeSandbox(dir);
});

test(
  'a second `up` adds both kinds of nodes to a running sandbox',
  async () => {
    const sandbox = await ensureSandbox({ dir, localNode: true, simulatedNodes: 1, gpusPerNode: 8 });
    expect(sandbox).toMatchObject({ started: false, pending: [] });
    expect(stateOf(dir).options).toMatchObject({
      localNode: true,
      simulatedNodes: { count: 1, gpusPerNode: 8 },
    });
  },
  FIRST_RUN_MS,
);

test.each([
  ['the local node, when nothing says otherwise', {}, 'local'],
  ['a simulated node, when it wants GPUs that only those have', { gpus: 8 }, 'sim-0'],
  ['a simulated node, when its node selector says so', { node: 'simulated' }, 'sim-0'],
  ['the local node, when its node selector says so', { node: 'local' }, 'local'],
])('a pod lands on %s', async (_where, { gpus, node }: { gpus?: number; node?: string }, expected) => {
  const name = `pod-${gpus ?? 0}-${node ?? 'any'}`;
  await cluster.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      restartPolicy: 'Never',
      nodeSelector: node && { 'signalbox.dev/node': node },
      containers: [
        {
          name: 'main',
          image: 'none',
          command: ['true'],
          resources: { limits: { 'nvidia.com/gpu': String(gpus ?? 0) } },
        },
      ],
    },
  });
  const bound = await until(
    'the pod is bound',
    async () => (await cluster.get(PODS, 'default', name)).spec.nodeName,
  );
  expect(bound).toBe(expected);
});
