import type { PodsRecord } from '../../../contracts/types.ts';
import type { JobArchive } from '../../../record/archive/job-archive.ts';
import type { ComparedJob } from '../../../record/compare/compare-jobs.ts';
import type { RecordedSource } from '../../../record/compare/recorded-source.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { archivedSource } from '../archive/rerun-archived.ts';
import { jobLedger } from '../observe/follow-job.ts';
import type { LedgerReplay } from '../observe/ledger.ts';
import { jobPods, namedJob } from '../observe/recorded-job.ts';
import { readJobSource } from '../rerun/read-source.ts';
import { manifestOfRevision } from '../rerun/rerun-manifest.ts';

/** How a job is read that is compared with another one. */
export interface CompareOptions {
  /** Whose sizes and policy its manifest has; default: the last one. */
  readonly revision?: number;
  /** Derives the ledger from the histories, if no worker answers soon. */
  readonly replay?: LedgerReplay;
  /** Called if it is not known what ran. */
  readonly onUnknownPods?: (error: unknown) => void;
}

/** Reads a job from Temporal and the evidence store; needs no worker if it can be replayed. */
export async function comparedJob(
  ports: ClientPorts,
  job: JobId,
  { revision, replay, onUnknownPods }: CompareOptions,
): Promise<ComparedJob> {
  const unknown = (error: unknown): readonly PodsRecord[] => {
    onUnknownPods?.(error);
    return [];
  };
  const [source, { firstRunId: runId, workflowId }, entries, pods] = await Promise.all([
    readJobSource(ports, job, {}),
    namedJob(ports, job, {}),
    jobLedger(ports, job, { replay }),
    jobPods(ports, job, {}).catch(unknown),
  ]);
  const ran = pods.flatMap((record) => record.pods);
  return { workflowId, runId, entries, pods: ran, ...revisionIn(source, revision) };
}

/** Reads a job from its archive. `settings`: the path of the module with the data converter of its installation. */
export async function comparedArchive(
  archive: JobArchive,
  { revision }: Pick<CompareOptions, 'revision'>,
  settings: { readonly dataConverter?: string },
): Promise<ComparedJob> {
  const { workflowId, firstRunId: runId } = archive.job;
  const [source, entries, pods] = await Promise.all([
    archivedSource(archive, settings),
    archive.ledger(),
    archive.pods(),
  ]);
  return { workflowId, runId, entries, pods, ...revisionIn(source, revision) };
}

/** By default what the job ended with. */
function revisionIn(
  source: RecordedSource,
  wanted: number | undefined,
): Pick<ComparedJob, 'revision' | 'manifest'> {
  const revision = wanted ?? source.revisions.at(-1)?.number ?? 1;
  const found = manifestOfRevision(source, revision);
  if ('fault' in found) throw new InvalidManifestError([found.fault], [], { of: 'rerun' });
  return { revision, manifest: found.manifest };
}
