import type { ArchiveReader } from '../../client/handles/archive-reader.ts';
import { ArchivedJobHandle } from '../../client/handles/archived-job-handle.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { findArchived, type WantedArchive } from '../../client/use-cases/archive/find-archived.ts';
import { comparedArchive } from '../../client/use-cases/compare/compared-job.ts';
import { evidenceLogs } from '../../client/use-cases/pods/evidence-logs.ts';
import type { JobLogLine, JobLogOptions } from '../../client/use-cases/pods/log-options.ts';
import { archivedReport } from '../../client/use-cases/report/archived-report.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';

interface Around {
  readonly archive: ArchiveReader;
  readonly client: SignalboxClient;
  /** Of its installation: the path of the module. */
  readonly dataConverter?: string | undefined;
}

/** A job that Temporal no longer has, as pages read jobs. */
export class JobFromArchive {
  readonly workflowId: string;
  readonly #archive: JobArchive;
  readonly #handle: ArchivedJobHandle;
  readonly #around: Around;

  private constructor(archive: JobArchive, around: Around) {
    const { dataConverter } = around;
    this.workflowId = archive.job.workflowId;
    this.#archive = archive;
    this.#handle = new ArchivedJobHandle(around.archive.recorded.store, archive, { dataConverter });
    this.#around = around;
  }

  /** Throws `JobNotFoundError` and `AmbiguousRunError`. */
  static async find(wanted: WantedArchive, around: Around): Promise<JobFromArchive> {
    const { job } = await findArchived(around.archive.recorded, wanted);
    return new JobFromArchive(job, around);
  }

  summary = async () => this.#handle.summary();
  why = async () => this.#handle.why();
  report = () => archivedReport(this.#archive);
  compared = () => comparedArchive(this.#archive, {}, { dataConverter: this.#around.dataConverter });

  /** What its evidence has: pods and their logs are gone. */
  logs = (options: JobLogOptions): AsyncGenerator<JobLogLine> => evidenceLogs(this.#evidence(), options);

  rerun = (options: Parameters<JobHandle['rerun']>[0]): Promise<JobHandle> =>
    this.#around.client.rerun(this.#handle, options);

  async *#evidence() {
    yield* await this.#handle.evidence();
  }
}

/** A job that an address names. */
export type FoundJob = JobHandle | JobFromArchive;
