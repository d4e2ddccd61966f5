import { describe, expect, it } from '@jest/globals';
import { isOwnedByJob } from '../../../activities/support/owned.ts';
import type { KubeObject } from '../../../contracts/kubernetes.ts';

const RESOURCE = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'of-the-resource', generation: 1 };
const ANCHOR = { apiVersion: 'v1', kind: 'ConfigMap', name: 'train.signalbox', uid: 'of-the-anchor' };

const ownedBy = (...uids: readonly string[]): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: {
    name: 'train-master-0',
    ownerReferences: uids.map((uid) => ({ ...ANCHOR, ...(uid === RESOURCE.uid ? RESOURCE : {}), uid })),
  },
});

describe('a pod is of a job', () => {
  const ofResource = { anchorUid: ANCHOR.uid, job: { resource: RESOURCE } };

  it.each([
    ['whose anchor owns it', ownedBy(ANCHOR.uid), { anchorUid: ANCHOR.uid, job: {} }, true],
    ['whose resource and anchor own it', ownedBy(RESOURCE.uid, ANCHOR.uid), ofResource, true],
    ['whose resource alone owns it, since its anchor was deleted', ownedBy(RESOURCE.uid), ofResource, true],
    ['but not of one whose resource has a later anchor', ownedBy(RESOURCE.uid, 'later'), ofResource, false],
    ['but not of one whose resource is another', ownedBy('of-another-resource'), ofResource, false],
    ['but not of one that was submitted', ownedBy(RESOURCE.uid), { anchorUid: ANCHOR.uid, job: {} }, false],
    ['but not if nobody owns it', ownedBy(), ofResource, false],
  ])('%s', (_, pod, owners, isOfJob) => {
    expect(isOwnedByJob(pod, owners)).toBe(isOfJob);
  });
});
