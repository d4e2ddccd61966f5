import { expect, it } from '@jest/globals';
import { type AnchorRecord, formatAnchorRecord, parseAnchorRecord } from '../../contracts/anchor.ts';

const RECORD: AnchorRecord = {
  workflowId: 'job/ml/resnet',
  firstRunId: 'run-1',
  clusterId: 'cluster-1',
  kind: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' },
  phase: 'Running',
  record: 3,
  gang: 'native',
  mainContainers: { master: 'pytorch', worker: 'pytorch' },
  mainPod: 'resnet-master-0',
  hostList: { when: 'ready', roles: ['worker'] },
  expiresAt: Date.parse('2026-01-02T00:00:00.000Z'),
  cleanUp: 'Running',
  removedOutlived: true,
  questionAt: 1_767_225_600_000,
  milestones: [8, 10],
  decidingPod: 'resnet-master-0',
  services: ['master', 'worker'],
  isEnding: true,
  digestHash: 'x1Yz',
};

it('an anchor record is parsed as it was written', () => {
  expect(parseAnchorRecord(formatAnchorRecord(RECORD))).toEqual(RECORD);
});

/** Workers and watchers of several versions read and write the anchors of a job. */
it('the texts of a record do not change from version to version', () => {
  expect(formatAnchorRecord(RECORD)).toEqual({
    'signalbox.dev/workflow-id': 'job/ml/resnet',
    'signalbox.dev/first-run-id': 'run-1',
    'signalbox.dev/cluster-id': 'cluster-1',
    'signalbox.dev/kind': 'kubeflow.org/v1 PyTorchJob',
    'signalbox.dev/phase': 'Running',
    'signalbox.dev/record': '3',
    'signalbox.dev/gang': 'native',
    'signalbox.dev/main-container': 'master=pytorch,worker=pytorch',
    'signalbox.dev/main-pod': 'resnet-master-0',
    'signalbox.dev/host-list': 'ready:worker',
    'signalbox.dev/expires-at': '2026-01-02T00:00:00.000Z',
    'signalbox.dev/clean-up': 'Running',
    'signalbox.dev/removed-outlived': 'true',
    'signalbox.dev/asked': '1767225600000',
    'signalbox.dev/milestones': '8,10',
    'signalbox.dev/deciding-pod': 'resnet-master-0',
    'signalbox.dev/services': 'master,worker',
    'signalbox.dev/ending': 'true',
    'signalbox.dev/digest': 'x1Yz',
  });
});

it('a partial record writes only its own fields', () => {
  expect(formatAnchorRecord({ phase: 'Stopped', cleanUp: 'All' })).toEqual({
    'signalbox.dev/phase': 'Stopped',
    'signalbox.dev/clean-up': 'All',
  });
});

it('missing and invalid fields are left out', () => {
  expect(Object.values(parseAnchorRecord()).filter((value) => value !== undefined)).toEqual([]);
  const { kind, mainContainers, hostList, expiresAt, cleanUp, questionAt } = parseAnchorRecord({
    'signalbox.dev/kind': 'PyTorchJob',
    'signalbox.dev/main-container': 'master,worker=pytorch',
    'signalbox.dev/host-list': 'never:worker',
    'signalbox.dev/expires-at': 'tomorrow',
    'signalbox.dev/clean-up': 'most',
    'signalbox.dev/asked': 'yesterday',
  });
  expect([kind, hostList, expiresAt, cleanUp, questionAt]).toEqual(Array(5).fill(undefined));
  expect(mainContainers).toEqual({ worker: 'pytorch' });
});
