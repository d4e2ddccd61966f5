import type { LedgerSteps } from '../../contracts/types.ts';
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

type Steps = Omit<LedgerSteps, 'pod' | 'attempt'>;

const STEPS: Readonly<Record<number, Steps>> = {
  1: {
    first: { step: 1, at: '2026-11-21T09:28:30.000Z' },
    last: { step: 12_000, at: '2026-11-21T10:37:50.000Z' },
    saved: { step: 10_000, at: '2026-11-21T10:26:10.000Z' },
  },
  2: {
    first: { step: 10_001, at: '2026-11-21T10:45:20.000Z' },
    last: { step: 24_400, at: '2026-11-21T12:08:40.000Z' },
    saved: { step: 20_000, at: '2026-11-21T11:44:10.000Z' },
    resumed: { step: 10_000, at: '2026-11-21T10:45:10.000Z' },
  },
};

/** In its third attempt, with what its logs told of steps. */
export const TRAINING: ReportData = {
  ...RUNNING,
  entries: SAMPLE.entries.slice(0, -1).map((entry, index, all) => {
    const isLast = all.findLastIndex(({ attempt }) => attempt === entry.attempt) === index;
    const steps = isLast ? STEPS[entry.attempt] : undefined;
    return steps ? { ...entry, steps: { pod: 'train-master-0', attempt: entry.attempt, ...steps } } : entry;
  }),
};
