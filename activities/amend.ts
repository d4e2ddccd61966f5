import type { JobReference, JobSource, PlannedRevision } from '../contracts/job-revision.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import type { GangProvider } from '../contracts/training-job.ts';
import { amendJob } from '../frameworks/changes/amend.ts';
import { buildJob } from '../frameworks/changes/build-job.ts';
import type { Amendment } from '../frameworks/changes/manifest-changes.ts';
import type { ParsedManifest } from '../frameworks/manifest/parse-manifest.ts';
import { revisionOnAnchor } from '../resources/anchor.ts';
import { checkLaneOf } from './admitted-lane.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import { askLane } from './lane-places.ts';
import type { Dependencies } from './support/dependencies.ts';
import { EngineFaultError, RejectedManifestError } from './support/failures.ts';
import { askForSource } from './support/job-source.ts';

interface AmendActivityRequest extends Amendment, Pick<JobReference, 'namespace' | 'name'> {
  readonly anchorUid: string;
  readonly clusterId?: string;
  /** What places its gang. */
  readonly gang?: GangProvider;
}

/** An amendment that was written, and then refused. */
type RestoreRequest = Pick<AmendActivityRequest, 'namespace' | 'name' | 'anchorUid' | 'clusterId'>;

/**
 * Writes the next revision of a job, with other sizes or another policy, to the anchor, and what the watcher looks for
 * from now on. Returns its plan; throws all faults. Idempotent: the newest revision replaces the previous one.
 */
export async function amend(
  dependencies: Dependencies,
  { namespace, name, anchorUid, clusterId: _, gang, ...amendment }: AmendActivityRequest,
): Promise<PlannedRevision> {
  const amended = build(await askForSource(dependencies), amendment, gang);
  if ('faults' in amended) throw new RejectedManifestError(amended.faults);
  const { job } = amended;
  await checkLaneOf(dependencies, job);
  const { revision, text } = dependencies.jobs.add(job);
  const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
  await patchAnchor(dependencies, anchor, revisionOnAnchor(job, text));
  await askLane(dependencies, { job, anchorUid });
  return { plan: job.plan, revision };
}

/** Writes the revision that a job has to the anchor, in the place of one that was refused. Idempotent. */
export async function restoreRevision(
  dependencies: Dependencies,
  { namespace, name, anchorUid }: RestoreRequest,
): Promise<void> {
  const built = buildJob(await askForSource(dependencies));
  if ('faults' in built) throw new RejectedManifestError(built.faults);
  const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
  await patchAnchor(dependencies, anchor, revisionOnAnchor(built.job, JSON.stringify(built.job)));
  await askLane(dependencies, { job: built.job, anchorUid });
}

/** As for a submitted manifest: an error of the parser would recur on each retry. */
function build(source: JobSource, amendment: Amendment, gang: GangProvider | undefined): ParsedManifest {
  try {
    return amendJob(source, amendment, gang);
  } catch (error) {
    throw new EngineFaultError('the amended manifest could not be read', { cause: error });
  }
}
