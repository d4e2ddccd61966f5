import { ApiError } from '../../cluster/errors.ts';
import { formatAnchorRecord } from '../../contracts/anchor.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { shorten } from '../../language/shorten.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { type AnchorIdentity, patchAnchor } from './anchor-writes.ts';

interface StatusRecord {
  readonly anchor: AnchorIdentity;
  /** The complete status, or the known part. */
  readonly status: Partial<JobStatus>;
  /** Written in addition to the phase. */
  readonly annotations?: Readonly<{ [name: string]: string }>;
}

/**
 * Writes a job's status to its anchor. A ConfigMap holds 1 MiB, and the job itself may take most of it: a status that
 * does not fit is cut, with a warning, and in the end reduced to the phase. Ignores an anchor that is gone or belongs
 * to another job.
 */
export async function writeStatus(
  dependencies: Pick<Dependencies, 'cluster'>,
  { anchor, status, annotations: others }: StatusRecord,
): Promise<void> {
  const annotations = { ...others, ...formatAnchorRecord({ phase: status.phase }) };
  // The ConfigMap may have been made immutable: then only its metadata can be changed.
  const versions = [status, shortened(status), bare(status), null, undefined];
  for (const version of versions) {
    const data = version === undefined ? undefined : { status: version && JSON.stringify(version) };
    try {
      await patchAnchor(dependencies, anchor, { annotations, data });
      return;
    } catch (error) {
      if (version === undefined || !isTooLarge(error)) throw error;
    }
  }
}

/** The limit is that of a request (413) or of a ConfigMap (422). */
const isTooLarge = (error: unknown) =>
  error instanceof ApiError && (error.status === 413 || error.status === 422);

const LATEST = 10;
const CUT =
  'this record was truncated because it does not fit into the anchor; the workflow’s history in Temporal has the rest';

const shortened = (status: Partial<JobStatus>): Partial<JobStatus> => ({
  ...status,
  evidence: [],
  timeline: status.timeline?.slice(-LATEST),
  warnings: [CUT],
});

const LONGEST_MESSAGE = 500;

const bare = ({ kind, name, namespace, phase, state, attempt, restarts, ...more }: Partial<JobStatus>) => ({
  ...{ kind, name, namespace, phase, state, attempt, restarts },
  cause: more.cause && { reason: more.cause.reason, message: shorten(more.cause.message, LONGEST_MESSAGE) },
  since: more.since,
  startTime: more.startTime,
  completionTime: more.completionTime,
  conditions: [],
  replicaStatuses: {},
  warnings: [CUT],
  timeline: [],
});
