import { describe, expect, test } from '@jest/globals';
import { isJobManifest, validateManifest } from '../../../../client/manifests/offline/validate.ts';
import { aManifest } from '../../../frameworks/manifests.ts';

describe('validateManifest', () => {
  test('returns the job with its defaults, in the given namespace', () => {
    const { job, faults } = validateManifest(aManifest().build(), { namespace: 'vision' });
    expect(faults).toEqual([]);
    expect(job).toMatchObject({ namespace: 'vision', plan: { runPolicy: { cleanPodPolicy: 'None' } } });
  });

  test('returns all faults, and the unknown fields that may explain them', () => {
    const manifest = aManifest().with('metadata.name', 'A').with('spec.nprocPerNod', 2).build();
    expect(validateManifest(manifest, { strict: false })).toMatchObject({
      faults: [{ path: 'metadata.name' }],
      warnings: [
        'spec.nprocPerNod: unknown field, ignored; did you mean nprocPerNode? kubectl apply refuses it',
      ],
      job: undefined,
    });
  });

  test('reports unknown fields as faults', () => {
    const manifest = aManifest().with('spec.nprocPerNod', 2).build();
    expect(validateManifest(manifest)).toEqual({
      faults: [
        {
          path: 'spec.nprocPerNod',
          expected: 'a known field (did you mean nprocPerNode?)',
          got: '2',
          isUnknown: true,
        },
      ],
      warnings: [],
      job: undefined,
    });
  });
});

describe('a document counts as a job', () => {
  test.each([
    [true, 'a known kind', 'kubeflow.org/v1', 'TFJob'],
    [true, 'a known kind of another version', 'kubeflow.org/v1alpha2', 'MPIJob'],
    [true, 'nearly a known kind', 'kubeflow.org/v1', 'PytorchJobs'],
    [true, 'some job of an API of jobs', 'kubeflow.org/v1', 'FlaxTrainingJob'],
    [false, 'a job of Kubernetes itself', 'batch/v1', 'Job'],
    [false, 'another object of Kubeflow', 'kubeflow.org/v1', 'Notebook'],
    [false, 'a claim', 'v1', 'PersistentVolumeClaim'],
  ])('%s for %s: %s %s', (expected, _what, apiVersion, kind) => {
    expect(isJobManifest({ apiVersion, kind })).toBe(expected);
  });

  test.each([['text'], [null], [{}], [{ kind: 'ConfigMap' }]])('if its kind is unknown: %j', (given) => {
    expect(isJobManifest(given)).toBe(true);
  });
});
