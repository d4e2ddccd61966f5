import { describe, expect, it } from '@jest/globals';
import { namedManifest } from '../../client/manifests/named-manifest.ts';

const job = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'a' } };

describe('a manifest passed by a program', () => {
  it('gets the namespace of its client where its own is null, and loses null fields', () => {
    const given = { ...job, metadata: { name: 'a', namespace: null, labels: null }, status: null };
    expect(namedManifest(given, 'ml')).toEqual({
      manifest: { ...job, metadata: { name: 'a', namespace: 'ml' } },
    });
  });

  it.each([
    [{ ...job, apiVersion: null }, 'apiVersion'],
    [{ ...job, kind: '' }, 'kind'],
    [{ ...job, metadata: null }, 'metadata.name'],
    [{ ...job, metadata: { name: 'a', namespace: 3 } }, 'metadata.namespace'],
  ])('is refused before it is started: %#', (given, path) => {
    expect(namedManifest(given, 'ml')).toMatchObject({ faults: [{ path }] });
  });
});
