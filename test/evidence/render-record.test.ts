import { expect, it } from '@jest/globals';
import type { OwnerReference } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { podsRecordKeyOf } from '../../evidence/record-key.ts';
import { recordedJobOf } from '../../evidence/render-record.ts';

const RESOURCE = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', name: 'train', uid: 'of-the-resource' };
const ANCHOR = { apiVersion: 'v1', kind: 'ConfigMap', name: 'train.signalbox', uid: 'of-the-anchor' };

it.each<[string, readonly OwnerReference[], string]>([
  ['of its anchor', [RESOURCE, ANCHOR], 'of-the-anchor'],
  ['of its custom resource once the anchor is deleted', [RESOURCE], 'of-the-resource'],
])('the record of a pod has the uid %s', (_, ownerReferences, uid) => {
  const metadata = { name: 'train-master-0', namespace: 'ml', labels: { [LABELS.job]: 'train' } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ownerReferences } } as const;
  const run = recordedJobOf({ ...pod, spec: { containers: [] } });
  const key = podsRecordKeyOf(run, { attempt: 1, sha256: '0'.repeat(32) });
  expect(key).toContain(`ml/train/${uid}/1/`);
});
