import type { EvidenceRecord, LedgerEntry } from '../../../contracts/types.ts';
import type { ArchiveContents } from '../../../record/archive/archive-writer.ts';
import { gzipped } from '../../../record/archive/gz-file.ts';

/** A job that somebody submitted and stopped. */
export const SOME_ENTRIES: readonly LedgerEntry[] = [
  {
    ...{ seq: 1, at: '2026-11-23T10:00:00.000Z', attempt: 1, to: 'Pending.Creating', phase: 'Pending' },
    cause: { type: 'submitted', who: { given: 'ana', identity: '1@laptop' }, why: 'a trial' },
    ...{ message: 'ana submitted the job: a trial.', revision: 1 },
  },
  {
    ...{ seq: 2, at: '2026-11-23T10:05:00.000Z', attempt: 1, from: 'Pending.Creating', to: 'Stopped' },
    phase: 'Stopped',
    cause: { type: 'request', request: 'stop', through: 'update', who: { given: 'bob' } },
    ...{ message: 'bob stopped the job.', revision: 1 },
  },
];

/** Returns what is archived of a job; `change` replaces fields of its job.json. */
export async function someContents(change: Partial<ArchiveContents['job']> = {}): Promise<ArchiveContents> {
  const { namespace = 'ml', name = 'train', firstRunId = '5f0c' } = change;
  const job: ArchiveContents['job'] = {
    ...{ namespace, name, kind: 'PyTorchJob', workflowId: `job/${namespace}/${name}`, firstRunId },
    ...{ runId: firstRunId, temporalNamespace: 'default' },
    submitted: { at: '2026-11-23T10:00:00.000Z', who: { given: 'ana' } },
    ...{ closed: '2026-11-23T10:05:01.000Z', close: 'Completed' },
    status: {
      ...{ kind: 'PyTorchJob', name, namespace, phase: 'Stopped', state: 'Stopped', attempt: 1, restarts: 0 },
      ...{ conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
    },
    manifest: { kind: 'PyTorchJob', metadata: { name, namespace } },
    ...{ revisions: [], archivedAt: '2026-11-23T10:06:00.000Z', engine: { signalbox: '0.1.0' } },
    ...change,
  };
  const events = { events: [STARTED] };
  return {
    job,
    entries: SOME_ENTRIES,
    histories: [{ runId: job.runId, events: 1, bytes: await gzipped(JSON.stringify(events)) }],
    evidence: [someRecord()],
    pods: [],
  };
}

/** Returns the record of a failed pod. */
export const someRecord = (anchorUid = 'a'): EvidenceRecord => ({
  ...{ version: 1, job: { kind: 'PyTorchJob', namespace: 'ml', name: 'train' }, anchorUid },
  summary: {
    ...{ pod: 'train-master-0', uid: 'p', role: 'master', index: 0, attempt: 1 },
    takenAt: '2026-11-23T10:04:00Z',
  },
  ...{ failedAt: '2026-11-23T10:04:00Z', pod: { conditions: [] }, containers: [], events: [] },
});

/** As Temporal exports it. */
const STARTED = {
  ...{ eventId: '1', eventTime: '2026-11-23T10:00:00Z', eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED' },
  workflowExecutionStartedEventAttributes: { identity: '1@laptop' },
};
