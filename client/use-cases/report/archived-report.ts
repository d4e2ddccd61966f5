import type { EvidenceRecord } from '../../../contracts/types.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import type { ReportData } from '../../../record/report/report-data.ts';

/** Reads the data of a report from an archive. */
export async function archivedReport(archive: JobArchive): Promise<ReportData> {
  const { job } = archive;
  const [entries, pods, evidence] = await Promise.all([
    archive.entries(),
    archive.pods(),
    archive.evidence(),
  ]);
  return {
    workflowId: job.workflowId,
    firstRunId: job.firstRunId,
    readFrom: archive.ref,
    asOf: new Date().toISOString(),
    closed: { at: job.closed, how: job.close },
    status: job.status,
    submitted: job.submitted,
    entries,
    ledger: job.ledger,
    pods,
    evidence: evidence.map((record) => withPlace(record, archive)),
    manifest: job.manifest,
    revisions: job.revisions,
    policy: job.policy,
    missing: job.missing ?? [],
  };
}

/** The store of evidence may be gone; the archive has the record. */
const withPlace = (record: EvidenceRecord, { ref }: JobArchive): EvidenceRecord => ({
  ...record,
  summary: { ...record.summary, ref },
});
