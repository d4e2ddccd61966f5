import { expect, it } from '@jest/globals';
import { renderAnchor } from '../../resources/anchor.ts';
import { aContainer, aManifest, aRole } from '../frameworks/manifests.ts';

const identity = { workflowId: 'job/ml/resnet', firstRunId: 'run-1' };

it('the anchor says which workflow leads the job, and holds the job', () => {
  const job = aManifest().job();
  const { metadata, data } = renderAnchor(job, identity, 'native');
  expect(metadata).toEqual({
    name: 'resnet.signalbox',
    namespace: 'ml',
    labels: { 'signalbox.dev/anchor': 'true', 'signalbox.dev/job': 'resnet' },
    annotations: {
      'signalbox.dev/workflow-id': 'job/ml/resnet',
      'signalbox.dev/first-run-id': 'run-1',
      'signalbox.dev/phase': 'Pending',
      'signalbox.dev/gang': 'native',
      'signalbox.dev/main-container': 'master=pytorch,worker=pytorch',
      'signalbox.dev/main-pod': 'resnet-master-0',
    },
  });
  expect(JSON.parse(data!.job!)).toEqual(JSON.parse(JSON.stringify(job)));
});

it('the anchor names the container of each role whose exit code counts', () => {
  const job = aManifest()
    .role('Master', '', aRole({}, aContainer({ name: 'train' })))
    .job();
  expect(renderAnchor(job, identity, 'native').metadata.annotations?.['signalbox.dev/main-container']).toBe(
    'master=train,worker=pytorch',
  );
});
