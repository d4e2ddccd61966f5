import { describe, expect, it } from '@jest/globals';
import { parseRecordedStatus } from '../../contracts/recorded-status.ts';
import type { JobStatus } from '../../contracts/types.ts';

const EVIDENCE = {
  pod: 'a-0',
  uid: 'u',
  role: 'worker',
  index: 0,
  attempt: 1,
  takenAt: '2026-01-01T00:00:00Z',
};

/** With every field. */
const STATUS: Required<JobStatus> = {
  ...{ kind: 'PyTorchJob', name: 'resnet', namespace: 'ml', phase: 'Running', state: 'Running' },
  ...{ attempt: 2, restarts: 1, warnings: ['a warning'], progress: 'step 7', mode: 'Collective' },
  cause: { reason: 'Unschedulable', message: '0/3 nodes' },
  conditions: [{ type: 'Created', status: 'True' }],
  replicaStatuses: { Worker: { active: 1 } },
  terminated: { Worker: 1 },
  replicaCounts: ['active'],
  countedAt: '2026-01-01T00:00:00Z',
  since: '2026-01-01T00:00:00Z',
  startTime: '2026-01-01T00:00:00Z',
  completionTime: '2026-01-01T00:00:00Z',
  evidence: [EVIDENCE],
  owner: 'ana@example.com',
  spares: { wanted: 1, placed: 0, why: 'job-spare-0 has no node' },
  wanted: { Worker: 2 },
  restartsAllowed: 3,
  budgets: { infrastructure: { used: 1, allowed: 2 } },
  avoided: { 'node-1': '2026-01-01T00:00:00Z' },
  advice: { sentence: 'It is the program.', blames: 'program', failures: 2, nodes: [] },
  timeline: [{ at: '2026-01-01T00:00:00Z', phase: 'Running', state: 'Running', attempt: 2, cause: 'ready' }],
};

describe('the status on an anchor', () => {
  it('is read as it was written', () => {
    expect(parseRecordedStatus(JSON.stringify(STATUS))).toEqual(STATUS);
  });

  it.each([
    ['there is none', undefined],
    ['it is cut', JSON.stringify(STATUS).slice(0, 200)],
    ['it is no JSON', 'Completed'],
    ['it is a list', '[1]'],
    ['it is null', 'null'],
    ['it is empty', ''],
  ])('is empty if %s', (_, text) => {
    expect(parseRecordedStatus(text)).toEqual({});
  });

  it.each([
    ['phase', 'Finished'],
    ['attempt', 'one'],
    ['attempt', -1],
    ['cause', 'none'],
    ['conditions', {}],
    ['advice', 'none'],
    ['evidence', [null]],
    ['evidence', { filter: 1 }],
    ['replicaStatuses', { Worker: 7 }],
    ['timeline', [{ at: 1 }]],
    ['warnings', [{}]],
  ])('is read without its field %s if that is %j', (field, value) => {
    const { [field as 'phase']: _, ...rest } = STATUS;
    expect(parseRecordedStatus(JSON.stringify({ ...STATUS, [field]: value }))).toEqual(rest);
  });

  it('has no unknown field', () => {
    expect(parseRecordedStatus('{"phase":"Running","x":1,"__proto__":{"y":1}}')).toEqual({
      phase: 'Running',
    });
  });
});
