import type { ArchiveProgress, ArchiveRequest } from '../../contracts/archiver.ts';
import type { TemporalPort } from '../servers/ports.ts';
import {
  type ArchiverStatus,
  archiveProgress,
  archiverStatus,
  type EndedRun,
  requestArchive,
  whyNotArchived,
} from '../use-cases/archive/archiver.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * The workflow that archives jobs as they end.
 *
 * @public
 */
export class JobArchiver {
  readonly #ports: TemporalPort;

  /** @internal */
  constructor(ports: TemporalPort) {
    this.#ports = ports;
  }

  /** Asks it to archive ended jobs now, and returns the number of the request. */
  async ask(request: ArchiveRequest): Promise<number> {
    await refuseUnknownOptions({ archive: request });
    return requestArchive(this.#ports, request);
  }

  /** Returns how far a request is; undefined if it was long ago. */
  progress(number: number): Promise<ArchiveProgress | undefined> {
    return archiveProgress(this.#ports, number);
  }

  /** Needs no worker, but for the requests. */
  status(): Promise<ArchiverStatus> {
    return archiverStatus(this.#ports);
  }

  /** Returns what keeps a job that has ended with this run from the archive; undefined if it is there, or next. Needs no worker. */
  whyNotArchived(run: EndedRun): Promise<string | undefined> {
    return whyNotArchived(this.#ports, run);
  }
}
