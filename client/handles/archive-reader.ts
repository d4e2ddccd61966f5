import type { ArchiveError } from '../../record/archive/archive-errors.ts';
import type { Archive } from '../../record/archive/archive-reader.ts';
import type { JobSelector } from '../servers/client-settings.ts';
import { namespaceIn } from '../servers/environment.ts';
import type { JobSummary } from '../servers/summary.ts';
import { toArchiveClientError, translatedErrors } from '../use-cases/archive/archive-client-errors.ts';
import { findArchived } from '../use-cases/archive/find-archived.ts';
import { listArchived } from '../use-cases/archive/list-archived.ts';
import type { OpenArchiveOptions } from '../use-cases/archive/open-archive-options.ts';
import type { StoreVerification, VerifyStoreOptions } from '../use-cases/archive/verification.ts';
import type { ArchivedJobFilter } from '../use-cases/find/job-filter.ts';
import { ArchivedJobHandle } from './archived-job-handle.ts';

/**
 * An archive of ended jobs, see `openArchive`. Its methods throw `ArchiveAwayError`, `ArchiveDamagedError` for a file that
 * was cut or changed, and `ArchiveVersionError` for an archive of a later version.
 *
 * @public
 */
export class ArchiveReader {
  /** A directory, or `s3://bucket/prefix`. */
  readonly location: string;
  readonly #archive: Archive;
  readonly #options: OpenArchiveOptions;

  /** @internal */
  constructor(archive: Archive, options: OpenArchiveOptions) {
    this.location = archive.store.location;
    this.#archive = archive;
    this.#options = options;
  }

  /** Lists archived jobs as `SignalboxClient.list` lists recorded ones; those that ended last first. */
  async *list(filter: ArchivedJobFilter = {}, options: ListArchivedOptions = {}): AsyncGenerator<JobSummary> {
    for await (const job of this.jobs(filter, options)) yield job.summary();
  }

  /** Yields the jobs that a list has. */
  async *jobs(
    filter: ArchivedJobFilter = {},
    { onUnreadable }: ListArchivedOptions = {},
  ): AsyncGenerator<ArchivedJobHandle> {
    const unreadable = onUnreadable && ((error: ArchiveError) => onUnreadable(toArchiveClientError(error)));
    try {
      for await (const job of listArchived(this.#archive, filter, unreadable)) {
        yield new ArchivedJobHandle(this.#archive.store, job, this.#options);
      }
    } catch (error) {
      throw toArchiveClientError(error);
    }
  }

  /**
   * Returns a job by name and namespace (default: SIGNALBOX_NAMESPACE, else `default`), or by workflow id; of several, the
   * one that ended last, that with `runId`, or the one that `run` means among those that are archived. Throws `JobNotFoundError` and `AmbiguousRunError`.
   */
  async find(job: JobSelector & { readonly runId?: string }): Promise<ArchivedJobHandle> {
    const wanted =
      'workflowId' in job ? job : { ...job, namespace: job.namespace ?? namespaceIn(process.env) };
    const found = await translatedErrors(() => findArchived(this.#archive, wanted));
    return new ArchivedJobHandle(this.#archive.store, found.job, this.#options);
  }

  /** Compares every file of the archive with its signed log. Reads all of them. docs/archive.md */
  verify(options: VerifyStoreOptions): Promise<StoreVerification> {
    return translatedErrors(async () => {
      const { verifyWholeArchive } = await import('../use-cases/archive/verify-archives.ts');
      return verifyWholeArchive(this.#archive.store, options);
    });
  }

  close(): void {
    this.#archive.close();
  }
}

/**
 * How archived jobs are listed.
 *
 * @public
 */
export interface ListArchivedOptions {
  /** Called with the error of an archive that cannot be read, which is left out then. Without it, that error is thrown. */
  readonly onUnreadable?: (error: unknown) => void;
}
