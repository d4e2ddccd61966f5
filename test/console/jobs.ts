import type { ReportData } from '../../record/report/report-data.ts';
import { SAMPLE } from '../record/report/sample-job.ts';

/** The sample while it still ran, in its last attempt. */
export const RUNNING: ReportData = {
  ...SAMPLE,
  ...{ workflowId: 'job/ml/train', closed: undefined, asOf: '2026-11-21T13:40:00.000Z' },
  readFrom: 'Temporal at localhost:7233',
  entries: SAMPLE.entries.slice(0, -4),
  status: {
    ...SAMPLE.status,
    ...{ name: 'train', phase: 'Running', state: 'Running', wanted: { Master: 1, Worker: 8 } },
  },
};

/** A job of another namespace that waits. */
export const WAITING: ReportData = {
  ...RUNNING,
  ...{ workflowId: 'job/nlp/llama', entries: SAMPLE.entries.slice(0, 3), pods: [], evidence: [] },
  submitted: { at: '2026-11-21T12:00:00.000Z', who: { given: 'bea@laptop' } },
  status: {
    ...RUNNING.status,
    ...{ name: 'llama', namespace: 'nlp', phase: 'Pending', state: 'Pending.Scheduling', attempt: 1 },
    cause: { reason: 'WaitingForGang', message: '6 of 8 pods have a node' },
  },
};
