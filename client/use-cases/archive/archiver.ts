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
} from '../../../contracts/archiver.ts';
import { ANSWER_MS } from '../../../contracts/timing.ts';
import { formatDuration } from '../../../language/duration.ts';
import { type ArchiverDescription, describeArchiver } from '../../../temporal/describe-archiver.ts';
import { installationOf } from '../../../temporal/installation.ts';
import { RefusedError } from '../../errors/errors.ts';
import type { TemporalPort } from '../../servers/ports.ts';
import { toClientError } from '../../servers/temporal-errors.ts';
import { failWithoutWorker, hasNoWorker } from '../../servers/worker-presence.ts';

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

/** Asks the archiver to archive ended jobs now, and returns the number of the request. */
export const requestArchive = (ports: TemporalPort, request: ArchiveRequest): Promise<number> =>
  withArchiver(ports, ({ workflowId }) =>
    bounded(ports.temporal, () =>
      ports.temporal.workflow
        .getHandle(workflowId)
        .executeUpdate<number, [ArchiveRequest]>(ARCHIVE_UPDATE, { args: [request] }),
    ),
  );

/** Returns how far a request is; undefined if it was long ago. */
export const archiveProgress = (ports: TemporalPort, number: number): Promise<ArchiveProgress | undefined> =>
  withArchiver(ports, async ({ workflowId, activity }) => {
    const { requests } = await reportOf(ports.temporal, workflowId);
    const found = requests.find((one) => one.number === number);
    if (found?.state !== 'running') return found;
    return { ...found, ...(await activity<Partial<ArchiveProgress>>('archiveAsked')).beat };
  });

/** Needs no worker, but for the requests. */
export const archiverStatus = (ports: TemporalPort): Promise<ArchiverStatus> =>
  withArchiver(ports, async (archiver) => {
    const report = await reportUnlessAway(ports.temporal, archiver.workflowId);
    const { beat = report?.beat, failure } = await archiver.activity<ArchiverBeat>('archiveClosed');
    const lookedAt = Math.max(archiver.lookedAt, Date.parse(beat?.at ?? '') || 0);
    const silence = await explainSilence(ports.temporal, { ...archiver, lookedAt }, failure);
    return {
      ...beat,
      ...(silence ? { failure: silence } : {}),
      ...(report ? { requests: report.requests } : {}),
    };
  });

/** Returns what keeps a job that has ended with this run from the archive; undefined if it is there, or next. Needs no worker. */
export const whyNotArchived = (
  ports: TemporalPort,
  { workflowId, runId }: EndedRun,
): Promise<string | undefined> =>
  withArchiver(ports, async ({ activity }) => {
    const { beat } = await activity<ArchiverBeat>('archiveClosed');
    return beat?.failed.find((one) => one.workflowId === workflowId && one.runId === runId)?.why;
  });

const reportOf = (temporal: Client, id: string): Promise<ArchiverReport> =>
  bounded(temporal, () => temporal.workflow.getHandle(id).query<ArchiverReport>(ARCHIVER_QUERY));

function reportUnlessAway(temporal: Client, workflowId: string): Promise<ArchiverReport | undefined> {
  const call = () => reportOf(temporal, workflowId);
  return failWithoutWorker(temporal, { workflowId, call, hasFallback: true }).catch(() => undefined);
}

/** Why it has not looked for ended jobs for long; undefined if it has. The clock here may be some seconds wrong. */
async function explainSilence(
  temporal: Client,
  { taskQueue, lookedAt }: ArchiverDescription,
  failure?: string,
): Promise<string | undefined> {
  const ageMs = Date.now() - lookedAt;
  if (ageMs < LOOK_IS_OLD_MS) return undefined;
  const isAlone = await hasNoWorker(temporal, taskQueue).catch(() => false);
  const why = isAlone
    ? `no worker polls the task queue ${taskQueue}; start one: \`signalbox up\``
    : failure === undefined
      ? 'no worker takes its tasks; start one with an archive (docs/archive.md)'
      : `its last try failed: ${failure}`;
  return `the archiver has not looked for ended jobs for ${formatDuration(ageMs)}: ${why}`;
}

const bounded = <T>(temporal: Client, call: () => Promise<T>): Promise<T> =>
  temporal.withDeadline(Date.now() + ANSWER_MS, call);

async function withArchiver<T>(
  { temporal, temporalAddress: address }: TemporalPort,
  call: (archiver: ArchiverDescription) => Promise<T>,
): Promise<T> {
  let workflowId = archiverIdOf('');
  try {
    const installation = await installationOf(temporal);
    workflowId = archiverIdOf(installation);
    const archiver = await describeArchiver(temporal, installation);
    if (archiver) return await call(archiver);
  } catch (error) {
    throw toClientError(error, { workflowId, address, namespace: temporal.options.namespace });
  }
  throw new RefusedError('No archiver is running: no worker with an archive has been started.', {
    remedy: 'Start one with SIGNALBOX_ARCHIVE_STORE=files or s3: `signalbox up` (docs/archive.md).',
  });
}
