import type { Prices } from '../../contracts/schemas/prices.ts';
import type {
  EvidenceRecord,
  JobStatus,
  JobSteps,
  LedgerEntry,
  LedgerWho,
  RecordedPod,
} from '../../contracts/types.ts';
import type { ArchivedJob } from '../archive/archived-job.ts';
import type { LedgerHead } from '../ledger/chain.ts';

/** The data of a report, from servers or from an archive. Times are RFC 3339. */
export interface ReportData {
  readonly workflowId: string;
  readonly firstRunId: string;
  /** Where it was read, as a reader would look for it: an address of Temporal, or the URL of an archive. */
  readonly readFrom: string;
  /** When it was read: a report of a running job ends then. */
  readonly asOf: string;
  /** When and how the workflow closed; absent while it is open. */
  readonly closed?: { readonly at: string; readonly how: ArchivedJob['close'] };
  readonly status: JobStatus;
  readonly submitted: Omit<ArchivedJob['submitted'], 'key'>;
  readonly entries: readonly LedgerEntry[];
  readonly ledger: LedgerHead;
  /** What ran, of the attempts that have a record. */
  readonly pods: readonly RecordedPod[];
  readonly evidence: readonly EvidenceRecord[];
  /** As submitted. */
  readonly manifest?: unknown;
  readonly revisions: readonly ReportedRevision[];
  /** The policy document that is in effect. */
  readonly policy?: unknown;
  /** What the log of a running job tells now, if that was read. */
  readonly steps?: JobSteps;
  /** What an hour of a device costs, if the report says what the job cost. */
  readonly prices?: Prices;
  /** What could not be read, and why. */
  readonly missing: readonly string[];
}

/** What one amendment changed. */
export interface ReportedRevision {
  readonly number: number;
  readonly at?: string;
  readonly who?: LedgerWho;
  readonly why?: string;
  /** By role name. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** The policy document, if an amendment replaced it. */
  readonly policy?: unknown;
}
