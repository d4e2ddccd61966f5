import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { clusterAccess } from '../../cluster/kubeconfig.ts';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-kubeconfig-'));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/** A token, and a certificate in a file of its own. */
async function accessWith(ca: string) {
  const path = join(dir, 'config');
  const cluster = { server: 'https://127.0.0.1:1', 'certificate-authority': ca };
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { token: 'abc' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  };
  await writeFile(path, JSON.stringify(config));
  return clusterAccess({ path });
}

it('a machine without a kubeconfig gets an error that says so', async () => {
  const values = { HOME: dir, USERPROFILE: dir, KUBERNETES_SERVICE_HOST: '', KUBECONFIG: '' };
  jest.replaceProperty(process, 'env', { ...process.env, ...values });
  try {
    await expect(clusterAccess()).rejects.toThrow(
      'there is no kubeconfig: expected --kubeconfig, KUBECONFIG',
    );
  } finally {
    jest.restoreAllMocks();
  }
});

describe('the headers of requests', () => {
  it('are not read from files for every request, unlike certificates of connections', async () => {
    const ca = join(dir, 'ca');
    await writeFile(ca, 'a certificate');
    const access = await accessWith(ca);
    expect(await access.headers()).toEqual({ Authorization: 'Bearer abc' });
    await rm(ca);
    expect(await access.headers()).toEqual({ Authorization: 'Bearer abc' });
    await expect(access.tls()).rejects.toThrow('ENOENT');
  });

  it('are read again at once if that failed', async () => {
    const ca = join(dir, 'later');
    const access = await accessWith(ca);
    await expect(access.headers()).rejects.toThrow('ENOENT');
    await writeFile(ca, 'a certificate');
    expect(await access.headers()).toEqual({ Authorization: 'Bearer abc' });
  });
});
