import { describe, expect, it } from '@jest/globals';
import {
  checkEditedResource,
  checkResource,
  refuseWithoutResource,
} from '../../activities/check-resource.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import {
  asResourceIdentity,
  type JobResource,
  type JobResourceStatus,
  manifestOfResource,
} from '../../contracts/job-resources.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { LAST_APPLIED } from '../../contracts/last-applied.ts';
import { identityOfResource } from '../../contracts/resource-identity.ts';

const RESOURCE: JobResource = {
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
  metadata: {
    ...{ name: 'train', namespace: 'ml', uid: 'u1', resourceVersion: '5', generation: 1 },
    labels: { team: 'vision' },
    annotations: { [LAST_APPLIED]: '{}', note: 'mine' },
  },
  spec: { runPolicy: {}, suspended: null },
  status: { phase: 'Running' },
};

const identity = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1', generation: 1 };
const job = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', name: 'train', namespace: 'ml' };

const checking = (found: JobResource | undefined, manifest: unknown = manifestOfResource(RESOURCE)) => {
  const cluster = { find: async () => found } as unknown as ClusterClient;
  return checkResource({ cluster }, { resource: identity, manifest, job });
};

const withMetadata = (more: object): JobResource => ({
  ...RESOURCE,
  metadata: { ...RESOURCE.metadata, ...more },
});

describe('a workflow that names a custom resource', () => {
  it('is admitted if that says what the workflow was started with', async () => {
    await checking(RESOURCE);
    await checking(withMetadata({ resourceVersion: '9', managedFields: [] }));
  });

  it.each<[string, JobResource | undefined]>([
    ['is gone', undefined],
    ['is another one of its name', withMetadata({ uid: 'u2' })],
    ['is being deleted', withMetadata({ deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ])('is refused if that %s', async (_, found) => {
    await expect(checking(found)).rejects.toMatchObject({ reason: 'ResourceDeleted' });
  });

  it.each<[string, JobResourceStatus]>([
    ['has Completed', { conditions: [{ type: 'Succeeded', status: 'True' }] }],
    [
      'has failed, or was stopped',
      { conditions: [{ type: 'Failed', status: 'True', reason: 'PyTorchJobFailed' }] },
    ],
  ])('is refused if the job of that %s, also if it says something else', async (_, status) => {
    const ended = { ...RESOURCE, status };
    await expect(checking(ended)).rejects.toMatchObject({ reason: 'ResourceEnded' });
    await expect(checking({ ...ended, spec: {} })).rejects.toMatchObject({ reason: 'ResourceEnded' });
  });

  it('is admitted if that had faults, which were corrected', async () => {
    const failed = { type: 'Failed', status: 'True' as const };
    const invalid = { conditions: [{ ...failed, reason: 'PyTorchJobFailedValidation' }] };
    await checking({ ...RESOURCE, status: invalid });
    await checking({ ...RESOURCE, status: { conditions: [failed], reason: 'InvalidManifest' } });
  });

  it('begins anew if that says anything else', async () => {
    const other = { ...RESOURCE, spec: { runPolicy: { suspend: true } } };
    const edited = { manifest: manifestOfResource(other), resource: { ...identity, generation: 2 } };
    expect(await checking({ ...other, metadata: { ...other.metadata, generation: 2 } })).toMatchObject({
      edited,
    });
    expect(await checking(withMetadata({ labels: {} }))).toMatchObject({ edited: { resource: identity } });
  });
});

describe('a workflow that names none', () => {
  it('is refused only where jobs have to be custom resources', () => {
    expect(() => refuseWithoutResource({}, job)).not.toThrow();
    expect(() => refuseWithoutResource({ requireResource: true }, job)).toThrow(
      expect.objectContaining({
        reason: 'ResourceRequired',
        message: 'PyTorchJob ml/train was submitted, and is no custom resource',
      }),
    );
  });
});

describe('an edit of a custom resource', () => {
  const annotated = (policy: string) => withMetadata({ annotations: { [ANNOTATIONS.policy]: policy } });
  const following = (found: JobResource, sent: JobResource = found, resource = identityOfResource(sent)) => {
    const cluster = { find: async () => found } as unknown as ClusterClient;
    return checkEditedResource({ cluster }, { resource, manifest: manifestOfResource(sent), job });
  };

  it('is followed if the resource still says so, whatever its labels are and other annotations', async () => {
    await following(RESOURCE);
    await following(withMetadata({ labels: {}, annotations: { note: 'theirs' } }), RESOURCE);
    await following(annotated('holdOnFailure: 5m'));
  });

  it.each<[string, JobResource, JobResource, JobResource]>([
    ['there is a later one', withMetadata({ generation: 2 }), RESOURCE, RESOURCE],
    ['its annotations were changed since', annotated('{}'), RESOURCE, RESOURCE],
    ['it says something else', RESOURCE, { ...RESOURCE, spec: {} }, RESOURCE],
    ['it has other annotations', RESOURCE, annotated('{}'), RESOURCE],
  ])('is refused if %s', async (_, found, sent, named) => {
    const checked = following(found, sent, identityOfResource(named));
    await expect(checked).rejects.toMatchObject({ reason: 'ResourceChanged' });
  });

  it('is refused if the resource is another one', async () => {
    const checked = following(withMetadata({ uid: 'u2' }), RESOURCE);
    await expect(checked).rejects.toMatchObject({ reason: 'ResourceDeleted' });
  });
});

describe('a manifest', () => {
  it('is of a resource what people wrote', () => {
    expect(manifestOfResource(RESOURCE)).toEqual({
      ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
      metadata: {
        ...{ name: 'train', namespace: 'ml', labels: { team: 'vision' }, annotations: { note: 'mine' } },
      },
      spec: { runPolicy: {} },
    });
  });
});

describe('a memo', () => {
  it.each([undefined, null, 'u1', {}, { ...identity, uid: '' }, { ...identity, generation: '1' }])(
    'that says %j names no resource',
    (value) => {
      expect(asResourceIdentity(value)).toBeUndefined();
    },
  );

  it('names the resource of a job', () => {
    expect(asResourceIdentity({ ...identity, more: 1 })).toEqual(identity);
    expect(asResourceIdentity({ ...identity, annotations: 'a1' })).toEqual({
      ...identity,
      annotations: 'a1',
    });
  });
});
