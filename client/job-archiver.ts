import type { Client } from '@temporalio/client';
import {
  ARCHIVE_UPDATE,
  ARCHIVER_QUERY,
  type ArchiveProgress,
  type ArchiveRequest,
  type ArchiverBeat,
  type ArchiverReport,
  archiverIdOf,
  LOOK_IS_OLD_MS,
} from '../contracts/archiver.ts';
import { formatDuration } from '../contracts/duration.ts';
import { type ArchiverDescription, describeArchiver } from '../temporal/describe-archiver.ts';
import { installationOf } from '../temporal/installation.ts';
import { RefusedError } from './errors.ts';
import type { HandleContext } from './job-run.ts';
import { toClientError } from './temporal-errors.ts';
import { failWithoutWorker, hasNoWorker } from './worker-presence.ts';

/**
 * What the archiver does.
 *
 * @public
 */
export interface ArchiverStatus extends Partial<ArchiverBeat> {
  /** Why nothing looks for ended jobs, e.g. as no worker has an archive. An ordinary restart of a worker is none. */
  readonly failure?: string;
  /** The latest requests; undefined if no worker answers. */
  readonly requests?: readonly ArchiveProgress[];
}

/**
 * The last run of a job, as its summary has it: several jobs may have had the workflow id.
 *
 * @public
 */
export interface EndedRun {
  readonly workflowId: string;
  readonly runId: string;
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
    return this.#calling(({ workflowId }) =>
      this.#bounded(() =>
        this.#temporal.workflow
          .getHandle(workflowId)
          .executeUpdate<number, [ArchiveRequest]>(ARCHIVE_UPDATE, { args: [request] }),
      ),
    );
  }

  /** Returns how far a request is; undefined if it was long ago. */
  async progress(number: number): Promise<ArchiveProgress | undefined> {
    return this.#calling(async ({ workflowId, activity }) => {
      const { requests } = await this.#report(workflowId);
      const found = requests.find((one) => one.number === number);
      if (found?.state !== 'running') return found;
      return { ...found, ...(await activity<Partial<ArchiveProgress>>('archiveAsked')).beat };
    });
  }

  /** Needs no worker, but for the requests. */
  status(): Promise<ArchiverStatus> {
    return this.#calling(async (archiver) => {
      const report = await this.#reportUnlessAway(archiver.workflowId);
      const { beat = report?.beat, failure } = await archiver.activity<ArchiverBeat>('archiveClosed');
      const lookedAt = Math.max(archiver.lookedAt, Date.parse(beat?.at ?? '') || 0);
      const silence = await this.#silence({ ...archiver, lookedAt }, failure);
      return {
        ...beat,
        ...(silence ? { failure: silence } : {}),
        ...(report ? { requests: report.requests } : {}),
      };
    });
  }

  /** Returns what keeps a job that has ended with this run from the archive; undefined if it is there, or next. Needs no worker. */
  whyNotArchived({ workflowId, runId }: EndedRun): Promise<string | undefined> {
    return this.#calling(async ({ activity }) => {
      const { beat } = await activity<ArchiverBeat>('archiveClosed');
      return beat?.failed.find((one) => one.workflowId === workflowId && one.runId === runId)?.why;
    });
  }

  #report(id: string): Promise<ArchiverReport> {
    return this.#bounded(() => this.#temporal.workflow.getHandle(id).query<ArchiverReport>(ARCHIVER_QUERY));
  }

  #reportUnlessAway(workflowId: string): Promise<ArchiverReport | undefined> {
    const call = () => this.#report(workflowId);
    return failWithoutWorker(this.#temporal, { workflowId, call, hasFallback: true }).catch(() => undefined);
  }

  /** Why it has not looked for ended jobs for long; undefined if it has. The clock here may be some seconds wrong. */
  async #silence(
    { taskQueue, lookedAt }: ArchiverDescription,
    failure?: string,
  ): Promise<string | undefined> {
    const ageMs = Date.now() - lookedAt;
    if (ageMs < LOOK_IS_OLD_MS) return undefined;
    const isAlone = await hasNoWorker(this.#temporal, taskQueue).catch(() => false);
    const why = isAlone
      ? `no worker polls the task queue ${taskQueue}; start one: \`signalbox up\``
      : failure === undefined
        ? 'no worker takes its tasks; start one with an archive (docs/archive.md)'
        : `its last try failed: ${failure}`;
    return `the archiver has not looked for ended jobs for ${formatDuration(ageMs)}: ${why}`;
  }

  #bounded<T>(call: () => Promise<T>): Promise<T> {
    return this.#temporal.withDeadline(Date.now() + ANSWER_MS, call);
  }

  async #calling<T>(call: (archiver: ArchiverDescription) => Promise<T>): Promise<T> {
    let workflowId = archiverIdOf('');
    try {
      const installation = await installationOf(this.#temporal);
      workflowId = archiverIdOf(installation);
      const archiver = await describeArchiver(this.#temporal, installation);
      if (archiver) return await call(archiver);
    } catch (error) {
      throw toClientError(error, { workflowId, address: this.#address });
    }
    throw new RefusedError('No archiver runs: no worker with an archive has been started here.', {
      remedy: 'Start one with SIGNALBOX_ARCHIVE_STORE=files or s3: `signalbox up` (docs/archive.md).',
    });
  }
}
