import type { EvidenceRecord, JobStatus, LedgerEntry, RecordedPod } from '../../../contracts/types.ts';
import { errorMessage } from '../../../language/error-message.ts';
import { policyInEffect } from '../../../record/compare/policy-in-effect.ts';
import type { RecordedSource } from '../../../record/compare/recorded-source.ts';
import { chainOf } from '../../../record/ledger/chain.ts';
import { requestOfRevision } from '../../../record/ledger/revision-requests.ts';
import type { ReportData, ReportedRevision } from '../../../record/report/report-data.ts';
import { NoEvidenceError } from '../../errors/errors.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { JobSummary } from '../../servers/summary.ts';
import { jobLedger } from '../observe/follow-job.ts';
import { readStatus } from '../observe/job-status.ts';
import { jobPods, namedJob } from '../observe/recorded-job.ts';
import { submissionIn } from '../observe/submission.ts';
import { jobEvidence } from '../pods/job-evidence.ts';
import { readJobSource } from '../rerun/read-source.ts';

/** The most records of failed pods in a report, which groups pods that failed alike. */
const MOST_RECORDS = 100;

/** Reads the data of a report from Temporal and the evidence store. The report lists what could not be read. */
export async function jobReport(ports: ClientPorts, job: JobId): Promise<ReportData> {
  const missing: string[] = [];
  const orElse = <T>(what: string, reading: Promise<T>, otherwise: T): Promise<T> =>
    reading.catch((error: unknown) => {
      missing.push(`${what}: ${errorMessage(error)}`);
      return otherwise;
    });
  const [summary, status, entries] = await Promise.all([
    namedJob(ports, job, {}),
    readStatus(ports, job, {}),
    jobLedger(ports, job, {}),
  ]);
  const [pods, evidence, source] = await Promise.all([
    orElse('what ran', podsThatRan(ports, job), []),
    orElse('evidence of failed pods', evidenceOfJob({ ports, job, entries }, missing), []),
    orElse('the manifest', readJobSource(ports, job, {}), NO_SOURCE),
  ]);
  const { workflowId, firstRunId } = summary;
  const { head } = chainOf({ workflowId, firstRunId }, entries);
  const readFrom = `Temporal at ${ports.temporalAddress}`;
  return {
    ...{ workflowId, firstRunId, readFrom, asOf: new Date().toISOString() },
    ...{ status, entries, ledger: head, pods, evidence, missing },
    ...closing(summary, status, entries),
    submitted: submissionIn(summary, entries),
    manifest: source.manifest,
    revisions: source.revisions.map((revision) => withAsker(revision, entries)),
    policy: policyInEffect(source),
  };
}

const NO_SOURCE: RecordedSource = { manifest: undefined, revisions: [], extendedSeconds: 0 };

const podsThatRan = async (ports: ClientPorts, job: JobId): Promise<RecordedPod[]> =>
  (await jobPods(ports, job, {})).flatMap(({ pods }) => pods);

/** The status lists the latest failures; records of an attempt are looked up in the store. */
async function evidenceOfJob(
  {
    ports,
    job,
    entries,
  }: { readonly ports: ClientPorts; readonly job: JobId; readonly entries: readonly LedgerEntry[] },
  missing: string[],
): Promise<EvidenceRecord[]> {
  const attempts = new Set(entries.flatMap(({ pods, attempt }) => (pods?.length ? [attempt] : [])));
  const records: EvidenceRecord[] = [];
  for (const attempt of attempts) {
    try {
      for await (const record of jobEvidence(ports, job, { attempt })) {
        if (records.length >= MOST_RECORDS) {
          missing.push(`further evidence: the report has the first ${MOST_RECORDS} records`);
          return records;
        }
        records.push(record);
      }
    } catch (error) {
      if (!(error instanceof NoEvidenceError)) throw error;
    }
  }
  return records;
}

function closing(
  { endTime }: JobSummary,
  { phase }: JobStatus,
  entries: readonly LedgerEntry[],
): Pick<ReportData, 'closed'> {
  if (endTime === undefined) return {};
  const cause = entries.findLast((entry) => entry.cause.type === 'closed')?.cause;
  if (cause?.type === 'closed')
    return { closed: { at: endTime, how: cause.how === 'terminated' ? 'Terminated' : 'TimedOut' } };
  return { closed: { at: endTime, how: phase === 'Failed' ? 'Failed' : 'Completed' } };
}

function withAsker(
  { manifest: _, ...revision }: RecordedSource['revisions'][number],
  entries: readonly LedgerEntry[],
): ReportedRevision {
  const request = requestOfRevision(entries, revision.number);
  return { at: request?.at, ...revision, who: request?.who, why: request?.why };
}
