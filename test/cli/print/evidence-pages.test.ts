import { describe, expect, test } from '@jest/globals';
import { evidencePages } from '../../../cli/print/evidence-pages.ts';
import type { EvidenceRecord } from '../../../contracts/types.ts';

const ended = { exitCode: 1, reason: 'Error', finishedAt: '2026-11-21T10:00:00Z' };

const RECORD: EvidenceRecord = {
  version: 1,
  job: { kind: 'PyTorchJob', namespace: 'ml', name: 'train' },
  anchorUid: 'anchor-1',
  summary: {
    ...{ pod: 'train-worker-3', uid: '1', role: 'worker', index: 3, attempt: 2, node: 'gpu-7' },
    ...{ container: 'pytorch', exitCode: 1, reason: 'Error', message: 'two\nlines\n', matches: [0, 2] },
    ...{ takenAt: '2026-11-21T10:00:01Z', ref: 's3://evidence/record.json' },
  },
  failedAt: '2026-11-21T10:00:00Z',
  pod: { phase: 'Failed', conditions: [] },
  containers: [
    {
      ...{ name: 'pytorch', restarts: 1, state: { terminated: ended }, lastState: { terminated: ended } },
      ...{ log: { lines: ['epoch 7', 'CUDA error'], isCut: true }, previousLog: { lines: [], isCut: false } },
    },
  ],
  node: {
    name: 'gpu-7',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'MemoryPressure', status: 'True', reason: 'KubeletHasInsufficientMemory' },
      { type: 'DiskPressure', status: 'False' },
    ],
    taints: [{ key: 'nvidia.com/gpu', value: 'broken', effect: 'NoSchedule' }],
    unschedulable: true,
  },
  events: [
    { type: 'Normal', reason: 'Started', message: 'Started container', lastAt: '2026-11-21T08:00:00Z' },
    { type: 'Warning', reason: 'BackOff', message: 'back-off', count: 3, lastAt: '2026-11-21T10:00:00.5Z' },
  ],
  incomplete: ['log of sidecar: no answer within 5 s'],
};

const pageOf = async (record: Partial<EvidenceRecord> = {}) => evidencePages([{ ...RECORD, ...record }]);

describe('the page of a failed pod', () => {
  test.each([
    ['which pod of which job', /^PyTorchJob ml\/train {2}train-worker-3$/m],
    ['when', /^ {2}failed {4}2026-11-21T10:00:00Z {2}\(.* ago\)$/m],
    ['where', /^ {2}where {5}node gpu-7, pytorch$/m],
    ['how it ended', /^ {2}how {7}exit code 1, Error$/m],
    ['what the program said, line below line', /^ {2}said {6}two\n {12}lines$/m],
    ['which rules matched', /^ {2}rules {5}failures\.rules\[0\], failures\.rules\[2\]$/m],
    ['what is missing', /^ {2}missing {3}log of sidecar: no answer within 5 s$/m],
    ['where the record is', /^ {2}record {4}s3:\/\/evidence\/record\.json$/m],
    [
      'how each run of a container ended',
      /^ {2}pytorch +exit code 1, Error, \S+ +1 +exit code 1, Error, \S+$/m,
    ],
    ['what is wrong with the node', /^ {2}MemoryPressure=True {2}KubeletHasInsufficientMemory$/m],
    ['that the node is cordoned', /^ {2}cordoned$/m],
    ['its taints', /^ {2}taint nvidia\.com\/gpu=broken:NoSchedule$/m],
    ['events, by their distance from the failure', /^ {2}2h before +Normal +Started +Started container$/m],
    ['how often an event came', /^ {2}at the failure +Warning +BackOff +back-off {2}\(3 times\)$/m],
    [
      'the last lines of the log',
      /^ {2}Last 2 lines of pytorch, truncated .*\n {2}epoch 7\n {2}CUDA error$/m,
    ],
    ['that a log was empty', /^ {2}Log of the previous run of pytorch: empty$/m],
  ])('says %s', async (_what, line) => {
    expect(await pageOf()).toMatch(line);
  });

  test('does not mention what is in order', async () => {
    expect(await pageOf()).not.toMatch(/DiskPressure|Ready/);
  });

  test('says that nothing is wrong with the node, if so', async () => {
    const node = { ...RECORD.node!, conditions: [], taints: [], unschedulable: false };
    expect(await pageOf({ node })).toMatch(/Node gpu-7\n {2}no problem recorded$/m);
  });
});

test('a program that never started has no log, for a reason', async () => {
  const message = 'exec: "python4": executable file not found in $PATH';
  const terminated = { exitCode: 128, reason: 'StartError', message };
  const page = await pageOf({ containers: [{ name: 'pytorch', restarts: 0, state: { terminated } }] });
  expect(page).toContain(
    'log       none: the program of pytorch never started. The image has no `python4`: correct command and args of container pytorch, or use an image that has it.',
  );
});
