import type { ArchiveError } from '../../record/archive/archive-errors.ts';
import type { Archive } from '../../record/archive/archive-reader.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { UseGroup } from '../../record/uses/grouped-uses.ts';
import type { JobSelector } from '../servers/client-settings.ts';
import { namespaceIn } from '../servers/environment.ts';
import type { JobSummary } from '../servers/summary.ts';
import { toArchiveClientError, translatedErrors } from '../use-cases/archive/archive-client-errors.ts';
import { findArchived } from '../use-cases/archive/find-archived.ts';
import { listArchived } from '../use-cases/archive/list-archived.ts';
import type { OpenArchiveOptions } from '../use-cases/archive/open-archive-options.ts';
import type { StoreVerification, VerifyStoreOptions } from '../use-cases/archive/verification.ts';
import type { CostOptions, PeriodOptions } from '../use-cases/cost/cost-options.ts';
import type { ArchivedJobFilter } from '../use-cases/find/job-filter.ts';
import { ArchivedJobHandle } from './archived-job-handle.ts';
import { refuseUnknownOptions } from './known-options.ts';

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
    options: ListArchivedOptions = {},
  ): AsyncGenerator<ArchivedJobHandle> {
    await refuseUnknownOptions({ archived: filter, listArchived: options });
    const { onUnreadable } = options;
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

  /**
   * Adds up what the devices of the archived jobs were used for, as `SignalboxClient.cost` does with those of Temporal. Throws
   * `RefusedError` for a key that is no label of any job, and for invalid prices. docs/cost.md
   */
  async cost(options: CostOptions): Promise<readonly UseGroup[]> {
    await refuseUnknownOptions({ cost: options });
    const { groupedCost } = await import('../use-cases/cost/grouped-cost.ts');
    return groupedCost({ archive: this.#archive }, options);
  }

  /** Returns what became of the archived jobs of some days, and of what they held. */
  async report(options: PeriodOptions = {}): Promise<PeriodReport> {
    await refuseUnknownOptions({ report: options });
    const { periodReport } = await import('../use-cases/report/period-report.ts');
    return periodReport({ archive: this.#archive }, options);
  }

  /**
   * The archive itself.
   *
   * @internal
   */
  get recorded(): Archive {
    return this.#archive;
  }

  /** Compares every file of the archive with its signed log. Reads all of them. docs/archive.md */
  async verify(options: VerifyStoreOptions): Promise<StoreVerification> {
    await refuseUnknownOptions({ verifyStore: options });
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

/**
 * An archive that is read beside Temporal.
 *
 * @public
 */
export interface BesideArchive {
  readonly archive?: ArchiveReader | undefined;
}
