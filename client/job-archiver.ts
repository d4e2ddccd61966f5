import type { Client } from '@temporalio/client';
import {
  ARCHIVE_UPDATE,
  ARCHIVER_QUERY,
  type ArchiveProgress,
  type ArchiveRequest,
  type ArchiverBeat,
  type ArchiverReport,
  archiverIdOf,
} from '../contracts/archiver.ts';
import { findWorkflow } from '../temporal/find-workflow.ts';
import { installationOf } from '../temporal/installation.ts';
import { isOpen } from '../temporal/open-workflows.ts';
import { decodePayloads } from '../temporal/payloads.ts';
import { RefusedError } from './errors.ts';
import type { HandleContext } from './job-run.ts';
import { toClientError } from './temporal-errors.ts';

/**
 * What the archiver does.
 *
 * @public
 */
export interface ArchiverStatus extends Partial<ArchiverBeat> {
  /** Why its last try failed, e.g. as no worker has an archive. */
  readonly failure?: string;
  /** The latest requests; undefined if no worker answers. */
  readonly requests?: readonly ArchiveProgress[];
}

const ANSWER_MS = 10_000;

/**
 * The workflow that archives jobs as they end.
 *
 * @public
 */
export class JobArchiver {
  readonly #temporal: Client;
  readonly #address: string;

  /** @internal */
  constructor({ temporal, temporalAddress }: Pick<HandleContext, 'temporal' | 'temporalAddress'>) {
    this.#temporal = temporal;
    this.#address = temporalAddress;
  }

  /** Asks it to archive ended jobs now, and returns the number of the request. */
  ask(request: ArchiveRequest): Promise<number> {
    return this.#calling((id) =>
      this.#bounded(() =>
        this.#temporal.workflow
          .getHandle(id)
          .executeUpdate<number, [ArchiveRequest]>(ARCHIVE_UPDATE, { args: [request] }),
      ),
    );
  }

  /** Returns how far a request is; undefined if it was long ago. */
  async progress(number: number): Promise<ArchiveProgress | undefined> {
    return this.#calling(async (id) => {
      const { requests } = await this.#report(id);
      const found = requests.find((one) => one.number === number);
      return found?.state === 'running'
        ? { ...found, ...(await this.#saidBy(id, 'archiveAsked')).beat }
        : found;
    });
  }

  /** Needs no worker, but for the requests. */
  status(): Promise<ArchiverStatus> {
    return this.#calling(async (id) => {
      const [{ beat, failure }, report] = await Promise.all([
        this.#saidBy<ArchiverBeat>(id, 'archiveClosed'),
        this.#report(id).catch(() => undefined),
      ]);
      return {
        ...report?.beat,
        ...beat,
        ...(failure ? { failure } : {}),
        ...(report ? { requests: report.requests } : {}),
      };
    });
  }

  /** Returns what keeps an ended job from the archive; undefined if it is archived, or next. Needs no worker. */
  whyNotArchived(workflowId: string): Promise<string | undefined> {
    return this.#calling(async (id) => {
      const { beat } = await this.#saidBy<ArchiverBeat>(id, 'archiveClosed');
      return beat?.failed.find((failure) => failure.workflowId === workflowId)?.why;
    });
  }

  #report(id: string): Promise<ArchiverReport> {
    return this.#bounded(() => this.#temporal.workflow.getHandle(id).query<ArchiverReport>(ARCHIVER_QUERY));
  }

  /** What its running activity said last, and why its last try failed. */
  async #saidBy<T = Partial<ArchiveProgress>>(
    id: string,
    activity: string,
  ): Promise<{ readonly beat: T | undefined; readonly failure: string | undefined }> {
    const { raw } = await this.#temporal.workflow.getHandle(id).describe();
    const found = raw.pendingActivities?.find(({ activityType }) => activityType?.name === activity);
    const { loadedDataConverter } = this.#temporal.options;
    const [beat] = await decodePayloads(loadedDataConverter, found?.heartbeatDetails?.payloads);
    return { beat: beat as T | undefined, failure: found?.lastFailure?.message ?? undefined };
  }

  #bounded<T>(call: () => Promise<T>): Promise<T> {
    return this.#temporal.withDeadline(Date.now() + ANSWER_MS, call);
  }

  async #calling<T>(call: (id: string) => Promise<T>): Promise<T> {
    let workflowId = archiverIdOf('');
    try {
      workflowId = archiverIdOf(await installationOf(this.#temporal));
      const found = await findWorkflow(this.#temporal, workflowId);
      if (found && isOpen(found.status.name)) return await call(workflowId);
    } catch (error) {
      throw toClientError(error, { workflowId, address: this.#address });
    }
    throw new RefusedError('No archiver runs: no worker with an archive has been started here.', {
      remedy: 'Start one with SIGNALBOX_ARCHIVE_STORE=files or s3: `signalbox up` (docs/archive.md).',
    });
  }
}
