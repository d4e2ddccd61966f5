import type { ParentJob } from '../../contracts/parent-job.ts';
import type { Cause, JobStatus } from '../../contracts/types.ts';
import type { ArchivedJob } from '../archive/archived-job.ts';

type Identity = 'namespace' | 'name' | 'kind' | 'workflowId' | 'firstRunId' | 'runId' | 'temporalNamespace';

/** What the index needs to know of a job, archived or live. An `ArchivedJob` is one. */
export interface IndexedJob extends Pick<ArchivedJob, Identity> {
  /** What is known without its ledger: of one that Temporal closed, only this says how it ended. */
  readonly status: Pick<JobStatus, 'phase' | 'attempt'> & { readonly cause?: Partial<Cause> };
  readonly submitted: Omit<ArchivedJob['submitted'], 'key' | 'rerunOf'> & {
    readonly rerunOf?: Pick<ParentJob, 'workflowId'>;
  };
  /** When the workflow closed; undefined for a live job, whose waits and states last until `now`. */
  readonly closed?: string;
  readonly manifest?: unknown;
  /** For a live job, whose manifest the index does not read. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly archivedAt?: string;
}

/** Where the archive of a job is. */
export interface IndexPlace {
  readonly folder: string;
  readonly leaf: number;
}
