import { expect, it } from '@jest/globals';
import { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { Requests } from '../../cluster/transport.ts';
import { POD_GROUPS, type Resource } from '../../contracts/kubernetes.ts';

/** A cluster that serves PodGroups in one version of scheduling.k8s.io. */
function clusterWith(version: string | undefined) {
  const sent: string[] = [];
  const transport: Requests = {
    json: async <R>(method: string, path: string, body?: unknown): Promise<R> => {
      sent.push(`${method} ${path}`);
      const [, , , served] = path.split('/');
      if (served !== version) throw new ApiError(path, { status: 404, reason: 'NotFound', message: 'no' });
      if (path.endsWith(`/${version}`)) return { resources: [{ name: 'podgroups' }] } as R;
      return body as R;
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
    close: async () => undefined,
  };
  const access = {
    ...{ namespace: 'ml', server: 'https://cluster' },
    ...{ tls: async () => ({}), headers: async () => ({}) },
  };
  return { client: new ClusterClient(access, {}, transport), sent };
}

const group = (apiVersion: string) => ({
  ...{ apiVersion, kind: 'PodGroup', metadata: { name: 'train', namespace: 'ml' } },
});

it.each(['v1alpha2', 'v1beta1'])(
  'groups are written in the version that the cluster serves: %s',
  async (version) => {
    const { client, sent } = clusterWith(version);
    expect(await client.serves(POD_GROUPS)).toBe(true);
    const made = await client.create(POD_GROUPS, group(POD_GROUPS.apiVersion));
    expect(made.apiVersion).toBe(`scheduling.k8s.io/${version}`);
    await client.delete(POD_GROUPS, 'ml', 'train');
    expect(sent.slice(-2)).toEqual([
      `POST /apis/scheduling.k8s.io/${version}/namespaces/ml/podgroups`,
      `DELETE /apis/scheduling.k8s.io/${version}/namespaces/ml/podgroups/train`,
    ]);
  },
);

it('a cluster without them serves none, and a kind of one version needs no discovery', async () => {
  const { client, sent } = clusterWith(undefined);
  expect(await client.serves(POD_GROUPS)).toBe(false);
  const { orIn: _, ...plain }: Resource = POD_GROUPS;
  sent.length = 0;
  await expect(client.get(plain, 'ml', 'train')).rejects.toThrow('no');
  expect(sent).toEqual(['GET /apis/scheduling.k8s.io/v1alpha2/namespaces/ml/podgroups/train']);
});
