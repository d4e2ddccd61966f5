import { expect, it } from '@jest/globals';
import type { ClusterClient } from '../../cluster/client.ts';
import { findClusterId } from '../../cluster/cluster-id.ts';
import { ApiError } from '../../cluster/errors.ts';

const forbidden = new ApiError('GET /api/v1/namespaces/kube-system', {
  status: 403,
  reason: 'Forbidden',
  message: 'namespaces "kube-system" is forbidden',
});

/** An API server that refuses so often before it answers. */
function refusing(times: number, refusal: Error = forbidden): Pick<ClusterClient, 'get'> {
  let asked = 0;
  const get = async () => {
    if (asked++ < times) throw refusal;
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'a-cluster' } };
  };
  return { get: get as unknown as ClusterClient['get'] };
}

it('the id of a cluster is read by an account with the permission', async () => {
  expect(await findClusterId(refusing(0))).toBe('a-cluster');
});

it('the id of a cluster is read although an API server that has just started refuses at first', async () => {
  expect(await findClusterId(refusing(1))).toBe('a-cluster');
});

it('the id of a cluster is undefined for an account without the permission', async () => {
  expect(await findClusterId(refusing(1_000))).toBeUndefined();
});

it('the id of a cluster is an error while the API server is unavailable', async () => {
  await expect(findClusterId(refusing(1, new Error('away')))).rejects.toThrow('away');
});
