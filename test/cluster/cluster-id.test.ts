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

it('is known to whoever may read it', async () => {
  expect(await findClusterId(refusing(0))).toBe('a-cluster');
});

it('is known although an API server that has just started refuses at first', async () => {
  expect(await findClusterId(refusing(1))).toBe('a-cluster');
});

it('is not known to an account that may not read it', async () => {
  expect(await findClusterId(refusing(1_000))).toBeUndefined();
});

it('is not known yet while the API server is away', async () => {
  await expect(findClusterId(refusing(1, new Error('away')))).rejects.toThrow('away');
});
