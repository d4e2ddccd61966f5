import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubernetesApi } from '../kubernetes-api.ts';
import { ensureSandbox } from '../sandbox.ts';
import { apiOf, emptyDir, FIRST_RUN_MS, removeSandbox, stateOf, throwaway, until } from './support.ts';

const PODS = '/api/v1/namespaces/default/pods';

let dir: string;
let api: KubernetesApi;

beforeAll(async () => {
  dir = await emptyDir();
  const { kubeconfig } = await ensureSandbox({ ...throwaway, dir });
  api = await apiOf(kubeconfig);
}, FIRST_RUN_MS);

afterAll(async () => {
  await api?.close();
  await removeSandbox(dir);
}, 60_000);

test(
  'a running sandbox is given both kinds of nodes by a second up',
  async () => {
    const sandbox = await ensureSandbox({ dir, localNode: true, simulatedNodes: 1, gpusPerNode: 8 });
    expect(sandbox).toMatchObject({ started: false, notDone: [] });
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
  await api.call('POST', PODS, {
    metadata: { name },
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
    async () => (await api.call<{ spec: { nodeName?: string } }>('GET', `${PODS}/${name}`)).spec.nodeName,
  );
  expect(bound).toBe(expected);
});
