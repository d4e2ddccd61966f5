import { MEMO } from '../../contracts/messages.ts';
import { parentIn } from '../../contracts/parent-job.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { ArchiveContents } from '../../record/archive/archive-writer.ts';
import type { ArchivedJob, ArchivedRevision } from '../../record/archive/archived-job.ts';
import { policyInEffect } from '../../record/compare/policy-in-effect.ts';
import type { RecordedSource } from '../../record/compare/recorded-source.ts';
import { requestOfRevision } from '../../record/ledger/revision-requests.ts';
import { timeOfEvent } from '../../temporal/event-time.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import type { ArchiverDependencies, DerivedLedger } from './archiver-dependencies.ts';
import type { ChainRecord } from './chain-record.ts';
import type { ClosedJob } from './closed-jobs.ts';
import type { JobChain } from './job-chain.ts';
import { lastStatusOf } from './last-status.ts';
import type { ReadableParts } from './readable-parts.ts';
import { recordsElsewhere, storedRecords, withStored } from './stored-records.ts';

interface Gathered {
  readonly record: ChainRecord;
  readonly derived: DerivedLedger;
  /** Temporal may delete the job soon: what cannot be had now is left out. */
  readonly isUrgent: boolean;
}

/** Returns all that is archived of a job. */
export async function jobContents(
  dependencies: ArchiverDependencies,
  job: ClosedJob,
  { record, derived, isUrgent }: Gathered,
): Promise<ArchiveContents> {
  const { temporal, evidenceStore } = dependencies;
  const { source, parts, firstRunId } = record;
  const entries = await recordableEntries(parts, record.ledger(derived.entries));
  const manifest = await parts.recordable('the manifest', null, source.manifest ?? null);
  const policy = policyInEffect(source);
  const stored = await storedRecords(evidenceStore, job, isUrgent);
  const status = withStored(await lastStatusOf(dependencies, job), stored);
  const missing = [
    ...missingOf(record.chain, derived),
    ...parts.missing,
    ...stored.missing,
    ...recordsElsewhere(evidenceStore, status, stored),
  ];
  return {
    job: {
      ...{ namespace: job.namespace, name: job.name, kind: job.kind, workflowId: job.workflowId },
      ...{ firstRunId, runId: job.runId, temporalNamespace: temporal.options.namespace },
      ...(job.anchorUid === undefined ? {} : { anchorUid: job.anchorUid }),
      submitted: submissionOf(job, entries, record.firstRun),
      ...{ closed: job.closed, close: job.close },
      status,
      manifest,
      revisions: source.revisions.map((revision) => archivedRevision(revision, entries)),
      ...(policy === undefined ? {} : { policy }),
      ...(missing.length ? { missing } : {}),
      archivedAt: new Date(dependencies.now()).toISOString(),
      engine: { signalbox: dependencies.version },
    },
    entries,
    histories: record.histories,
    ...{ evidence: stored.evidence, pods: stored.pods },
  };
}

async function recordableEntries(
  parts: ReadableParts,
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry[]> {
  const recordable: LedgerEntry[] = [];
  for (const entry of entries) {
    const kept = await parts.recordable(
      `entry ${entry.seq} of the ledger`,
      undefined,
      entry as LedgerEntry | undefined,
    );
    if (kept) recordable.push(kept);
  }
  return recordable;
}

function submissionOf(
  { memo }: ClosedJob,
  [first]: readonly LedgerEntry[],
  { events }: RunHistory,
): ArchivedJob['submitted'] {
  const cause = first?.cause.type === 'submitted' ? first.cause : undefined;
  const { [MEMO.submittedBy]: given, [MEMO.why]: why = cause?.why, [MEMO.key]: key } = memo;
  const parent = parentIn(memo);
  return {
    at: first?.at ?? timeOfEvent(events?.[0] ?? {}),
    who: cause?.who ?? (typeof given === 'string' ? { given } : {}),
    ...(typeof why === 'string' ? { why } : {}),
    ...(typeof key === 'string' ? { key } : {}),
    ...(parent ? { rerunOf: parent } : {}),
  };
}

function archivedRevision(
  { number, at, replicas, policy }: RecordedSource['revisions'][number],
  entries: readonly LedgerEntry[],
): ArchivedRevision {
  const request = requestOfRevision(entries, number);
  return {
    ...{ number, at: at ?? request?.at ?? '', who: request?.who ?? {}, replicas },
    ...(request?.why === undefined ? {} : { why: request.why }),
    ...(policy === undefined ? {} : { policy }),
  };
}

const missingOf = ({ missing }: JobChain, { error }: DerivedLedger): string[] => [
  ...(missing
    ? [
        `the history of run ${missing} and of those before it: Temporal had deleted it, and no archiver has kept it`,
      ]
    : []),
  ...(error ? [`entries of the ledger, as a history does not replay: ${error.message}`] : []),
];
