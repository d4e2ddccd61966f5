import { WorkerAwayError } from '../../client/errors/errors.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import type { AttestedJob } from '../../record/attest/attested-job.ts';
import { hasCode } from '../shell/errors.ts';

/** A job that cannot be attested now. */
class NotAttestableError extends Error {
  override readonly name = 'NotAttestableError';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** Reads a closed job from the servers. `readFrom`: where that is, for the attestation. */
export async function attestedFromServer(job: JobHandle, readFrom: string): Promise<AttestedJob> {
  const { workflowId, namespace, name, endTime } = await job.summary();
  if (endTime === undefined) {
    throw new NotAttestableError(
      `${workflowId} has not ended: an attestation says how a job ended and what it ran until then.`,
      '`signalbox get --watch` follows it until its end.',
    );
  }
  const [firstRunId, manifest, entries, records] = await Promise.all([
    job.firstRunId(),
    job.manifest(),
    job.history(),
    job.pods(),
  ]).catch((error: unknown) => {
    throw hasCode(error, 'WorkerAway')
      ? new WorkerAwayError(workflowId, error, { remedy: NO_WORKER })
      : error;
  });
  if (entries[0]?.seq !== 1) {
    throw new NotAttestableError(
      `Temporal no longer has the first runs of ${workflowId}: its ledger begins with entry ${entries[0]?.seq}.`,
      'Read the archive, with --archived.',
    );
  }
  const pods = records.flatMap((record) => record.pods);
  return { workflowId, firstRunId, namespace, name, manifest, entries, pods, readFrom };
}

const NO_WORKER =
  'Its history needs one: start it with `signalbox up`, or read the archive, with --archived.';

/** Reads a job from its archive; asks no server. */
export async function attestedFromArchive(archive: JobArchive): Promise<AttestedJob> {
  const { workflowId, firstRunId, namespace, name, manifest } = archive.job;
  const [entries, pods] = await Promise.all([archive.entries(), archive.pods()]);
  return { workflowId, firstRunId, namespace, name, manifest, entries, pods, readFrom: archive.ref };
}
