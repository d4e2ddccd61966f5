import pMap from 'p-map';
import { errorMessage } from '../../contracts/error-message.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import { MEMO } from '../../contracts/messages.ts';
import { parentIn } from '../../contracts/parent-job.ts';
import type { PodsRecord } from '../../contracts/pods-record.ts';
import type { JobStatus } from '../../contracts/status.ts';
import { podsRecordsOf } from '../../evidence/pods-records.ts';
import { folderOf, isPodsRecordKey } from '../../evidence/record-key.ts';
import type { EvidenceStore } from '../../evidence/store.ts';
import type { ArchiveContents } from '../../record/archive/archive-writer.ts';
import type { ArchivedJob, ArchivedRevision } from '../../record/archive/archived-job.ts';
import { gzippedHistory } from '../../record/archive/gz-history.ts';
import { policyInEffect } from '../../record/compare/policy-in-effect.ts';
import { type RecordedSource, recordedSource } from '../../record/compare/recorded-source.ts';
import { wholeLedger } from '../../record/ledger/whole-ledger.ts';
import { timeOfEvent } from '../../temporal/event-time.ts';
import { decodePayloads } from '../../temporal/payloads.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import type { ArchiverDependencies, DerivedLedger } from './archiver-dependencies.ts';
import type { ClosedJob } from './closed-jobs.ts';
import { anchorOf, lastStatusOf } from './last-status.ts';
import type { WholeChain } from './whole-chain.ts';

interface Gathered {
  readonly chain: WholeChain;
  readonly derived: DerivedLedger;
  /** Temporal may delete the job soon: what cannot be had now is left out. */
  readonly isUrgent: boolean;
}

/** Returns all that is archived of a job. */
export async function jobContents(
  dependencies: ArchiverDependencies,
  job: ClosedJob,
  { chain, derived, isUrgent }: Gathered,
): Promise<ArchiveContents> {
  const { temporal, evidenceStore } = dependencies;
  const firstRunId = firstRunOf(chain, job.runId);
  const histories = chain.runs.map(({ history }) => history);
  const entries = await wholeLedger(temporal, derived.entries, histories);
  const source = await recordedSource(histories, (payloads) =>
    decodePayloads(temporal.options.loadedDataConverter, payloads),
  );
  const policy = policyInEffect(source);
  const anchor = await anchorOf(dependencies, job, firstRunId).catch(() => undefined);
  const stored = await storedRecords(evidenceStore, job, isUrgent);
  const status = await lastStatusOf(dependencies, job, anchor);
  const missing = [
    ...missingOf(chain, derived),
    ...stored.missing,
    ...recordsElsewhere(evidenceStore, status, stored),
  ];
  return {
    job: {
      ...{ namespace: job.namespace, name: job.name, kind: job.kind, workflowId: job.workflowId },
      ...{ firstRunId, runId: job.runId, temporalNamespace: temporal.options.namespace },
      ...(job.anchorUid === undefined ? {} : { anchorUid: job.anchorUid }),
      submitted: submissionOf(job, entries, histories),
      ...{ closed: job.closed, close: job.close },
      status,
      manifest: source.manifest ?? null,
      revisions: source.revisions.map((revision) => archivedRevision(revision, entries)),
      ...(policy === undefined ? {} : { policy }),
      ...(missing.length ? { missing } : {}),
      archivedAt: new Date().toISOString(),
      engine: { signalbox: dependencies.version },
    },
    entries,
    histories: await Promise.all(
      chain.runs.map(async ({ runId, history }) => ({
        ...{ runId, events: history.events?.length ?? 0, bytes: await gzippedHistory(history) },
      })),
    ),
    ...{ evidence: stored.evidence, pods: stored.pods },
  };
}

/** Every run of a chain names the first one. */
const firstRunOf = ({ runs }: WholeChain, lastRunId: string): string =>
  runs[0]?.history.events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId || lastRunId;

function submissionOf(
  { memo }: ClosedJob,
  [first]: readonly LedgerEntry[],
  [history]: readonly RunHistory[],
): ArchivedJob['submitted'] {
  const cause = first?.cause.type === 'submitted' ? first.cause : undefined;
  const { [MEMO.submittedBy]: given, [MEMO.why]: why = cause?.why, [MEMO.key]: key } = memo;
  const parent = parentIn(memo);
  return {
    at: first?.at ?? timeOfEvent(history?.events?.[0] ?? {}),
    who: cause?.who ?? (typeof given === 'string' ? { given } : {}),
    ...(typeof why === 'string' ? { why } : {}),
    ...(typeof key === 'string' ? { key } : {}),
    ...(parent ? { rerunOf: parent } : {}),
  };
}

/** The request that made a revision is the first one that was written with its number. */
function archivedRevision(
  { number, at, replicas, policy }: RecordedSource['revisions'][number],
  entries: readonly LedgerEntry[],
): ArchivedRevision {
  const entry = entries.find(({ revision, cause }) => revision === number && cause.type === 'request');
  const cause = entry?.cause.type === 'request' ? entry.cause : undefined;
  return {
    ...{ number, at: at ?? entry?.at ?? '', who: cause?.who ?? {}, replicas },
    ...(cause?.why === undefined ? {} : { why: cause.why }),
    ...(policy === undefined ? {} : { policy }),
  };
}

const missingOf = ({ missing }: WholeChain, { error }: DerivedLedger): string[] => [
  ...(missing ? [`the history of run ${missing} and of those before it: Temporal had deleted it`] : []),
  ...(error ? [`entries of the ledger, as a history does not replay: ${error.message}`] : []),
];

interface Stored {
  readonly evidence: readonly string[];
  readonly pods: readonly PodsRecord[];
  readonly missing: readonly string[];
}

/** As long as there is time, a job waits for a store of evidence that does not work. */
async function storedRecords(store: EvidenceStore, job: ClosedJob, isUrgent: boolean): Promise<Stored> {
  const { namespace, name, anchorUid } = job;
  if (anchorUid === undefined) return { evidence: [], pods: [], missing: [] };
  const recorded = { namespace, name, anchorUid };
  try {
    const keys = (await store.list(folderOf(recorded))).filter((key) => !isPodsRecordKey(key)).sort();
    const evidence = await pMap(keys, (key) => store.find(key), { concurrency: 8 });
    const pods = await podsRecordsOf(store, recorded);
    return { evidence: evidence.filter((record) => record !== undefined), pods, missing: [] };
  } catch (error) {
    const why = `${store.place} did not give its evidence: ${errorMessage(error)}`;
    if (!isUrgent) throw new Error(why, { cause: error });
    return { evidence: [], pods: [], missing: [why] };
  }
}

/** Another worker may have a directory of its own. */
function recordsElsewhere(store: EvidenceStore, { evidence = [] }: JobStatus, stored: Stored): string[] {
  const known = new Set(stored.evidence.map((record) => uidIn(record)));
  return evidence
    .filter(({ ref, uid }) => ref !== undefined && !known.has(uid))
    .map(({ ref, pod }) => `the record of pod ${pod}: ${ref} is not in ${store.place}`);
}

const uidIn = (record: string): string | undefined =>
  (JSON.parse(record) as { readonly summary?: { readonly uid?: string } }).summary?.uid;
