import { describe, expect, it } from '@jest/globals';
import type { KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { anchorUidOf, attemptOf, isOfAnchor, isOwnedBy } from '../../contracts/objects.ts';
import {
  deletionRequestedAt,
  disruptionOf,
  hasPodEnded,
  indexOf,
  isReplica,
  roleOf,
} from '../../contracts/pod.ts';
import { findRole } from '../../contracts/roles.ts';

const aPod = ({
  metadata,
  status,
}: {
  metadata?: Partial<Pod['metadata']>;
  status?: Pod['status'];
}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'resnet-worker-1', ...metadata },
  spec: { containers: [] },
  status,
});

describe('the role, index and attempt of a pod', () => {
  it('are read from its labels', () => {
    const labels = {
      'signalbox.dev/role': 'worker',
      'signalbox.dev/index': '1',
      'signalbox.dev/attempt': '2',
    };
    const pod = aPod({ metadata: { labels } });
    expect([roleOf(pod), indexOf(pod), attemptOf(pod)]).toEqual(['worker', 1, 2]);
  });

  it('are empty without labels', () => {
    const pod = aPod({});
    expect([roleOf(pod), indexOf(pod), attemptOf(pod)]).toEqual(['', 0, 0]);
  });

  it.each([
    ['resnet-worker-12', 'worker', 12],
    ['resnet-worker-group-1-0', 'worker-group-1', 0],
    ['resnet-launcher', 'evaluator', 77],
    ['other-worker-3', 'evaluator', 77],
  ])('follow from its name, if it is one of its job, whatever its labels say: %s', (name, role, index) => {
    const labels = { 'signalbox.dev/role': 'evaluator', 'signalbox.dev/index': '77' };
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: 'anchor-1' };
    const pod = aPod({ metadata: { name, labels, ownerReferences: [owner] } });
    expect([roleOf(pod), indexOf(pod)]).toEqual([role, index]);
  });

  it('do not make a copy with another name a replica', () => {
    const labels = { 'signalbox.dev/pod': 'resnet-worker-1' };
    expect(isReplica(aPod({ metadata: { labels } }))).toBe(true);
    expect(isReplica(aPod({ metadata: { labels, name: 'debug' } }))).toBe(false);
    expect(isReplica(aPod({}))).toBe(false);
  });

  it('come with the uid of the anchor that owns it', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: 'anchor-1' };
    const pod = aPod({ metadata: { ownerReferences: [owner] } });
    expect([anchorUidOf(pod), isOwnedBy(pod, 'anchor-1'), isOwnedBy(pod, 'anchor-2')]).toEqual([
      'anchor-1',
      true,
      false,
    ]);
  });
});

describe('the anchor of an object that has lost the reference to it', () => {
  const labels = {
    'signalbox.dev/job': 'resnet',
    'signalbox.dev/anchor-uid': 'anchor-1',
    'signalbox.dev/pod': 'resnet-worker-1',
  };
  const { 'signalbox.dev/pod': _, ...ofOthers } = labels;
  const spec = { containers: [] };
  const another = { apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: 'anchor-2' };

  it.each([
    ['a pod', { name: 'resnet-worker-1', labels }, spec, 'anchor-1'],
    [
      'a pod that lost the label of the job, too',
      { name: 'resnet-worker-1', labels: { ...labels, 'signalbox.dev/job': undefined } },
      spec,
      'anchor-1',
    ],
    ['a copy of a pod', { name: 'resnet-worker-1-debug', labels }, spec, undefined],
    ['a pod of somebody with copied labels', { name: 'resnet-mine', labels: ofOthers }, spec, undefined],
    [
      'a pod with the name of another job',
      { name: 'bert-worker-1', labels: { ...labels, 'signalbox.dev/pod': 'bert-worker-1' } },
      spec,
      undefined,
    ],
    [
      'a pod that another anchor owns',
      { name: 'resnet-worker-1', labels, ownerReferences: [another] },
      spec,
      'anchor-2',
    ],
    ['a Service', { name: 'resnet-worker-1', labels: ofOthers }, { selector: {} }, 'anchor-1'],
    ['a group', { name: 'resnet.2', labels: ofOthers }, {}, 'anchor-1'],
    ['a Service with the name of another job', { name: 'resnet2', labels: ofOthers }, {}, undefined],
  ])('of %s', (_what, metadata, its, uid) => {
    const object = { metadata: metadata as KubeObject['metadata'], spec: its };
    expect(anchorUidOf(object)).toBe(uid);
    expect(isOfAnchor(object, 'anchor-1')).toBe(uid === 'anchor-1');
  });

  it('gives a pod its role and index all the same', () => {
    const pod = aPod({ metadata: { name: 'resnet-worker-1', labels } });
    expect([roleOf(pod), indexOf(pod), isReplica(pod)]).toEqual(['worker', 1, true]);
  });
});

describe('the end of a pod', () => {
  it.each([
    ['Succeeded', true],
    ['Failed', true],
    ['Running', false],
    [undefined, false],
  ] as const)('%s: %s', (phase, ended) => expect(hasPodEnded(aPod({ status: { phase } }))).toBe(ended));

  it('was requested a grace period before the time of its deletion', () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 };
    expect(deletionRequestedAt(aPod({ metadata }))).toBe(Date.parse('2026-01-01T00:00:00Z'));
    expect(deletionRequestedAt(aPod({}))).toBeNaN();
  });

  it('is announced only by a condition that is True', () => {
    const of = (status: 'True' | 'False') =>
      aPod({ status: { conditions: [{ type: 'DisruptionTarget', status }] } });
    expect([disruptionOf(of('True'))?.type, disruptionOf(of('False'))]).toEqual([
      'DisruptionTarget',
      undefined,
    ]);
  });
});

it('a role is found by its name in any case', () => {
  const roles = [{ name: 'Master' }, { name: 'Worker' }];
  expect([findRole(roles, 'worker'), findRole(roles, 'ps')]).toEqual([{ name: 'Worker' }, undefined]);
});
