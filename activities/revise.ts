import type { JobReference, PlannedRevision } from '../contracts/job-revision.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import type { ResourceIdentity } from '../contracts/types.ts';
import { changesBetween, type PresentJob } from '../frameworks/changes/changes-between.ts';
import { revisionOnAnchor, versionOnAnchor } from '../resources/anchor.ts';
import { checkLaneOf } from './admitted-lane.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import { checkEditedResource } from './check-resource.ts';
import { askLane } from './lane-places.ts';
import { writerOf } from './resource-writer.ts';
import type { Dependencies } from './support/dependencies.ts';
import { EngineFaultError, RejectedManifestError } from './support/failures.ts';
import { askForSource } from './support/job-source.ts';

interface ReviseRequest
  extends Pick<JobReference, 'namespace' | 'name'>,
    Pick<PresentJob, 'isSuspended' | 'isRunning' | 'gang'> {
  readonly anchorUid: string;
  readonly clusterId?: string;
  /** The custom resource that the manifest is, if it is one. */
  readonly resource?: ResourceIdentity;
}

/** What a manifest means for a job. */
export interface Revised {
  /** The next revision; absent if the present one says the same. */
  readonly planned?: PlannedRevision;
  /** Whether the job is to be suspended or resumed; absent if it stays as it is. */
  readonly suspend?: boolean;
  /** Paths of the values that it changes. */
  readonly changed: readonly string[];
  /** Who edited the custom resource, as the API server knew them. The ledger reads it from the history. */
  readonly requester?: string;
}

/**
 * Reads the manifest that the workflow applies, and writes the revision that it makes to the anchor. Throws all faults.
 * Idempotent: the newest revision replaces the previous one.
 */
export async function revise(
  dependencies: Dependencies,
  { namespace, name, anchorUid, clusterId: _, resource, ...state }: ReviseRequest,
): Promise<Revised> {
  const { applying: manifest, ...source } = await askForSource(dependencies);
  const settings = resource ? { ...source.settings, resource } : source.settings;
  const edited =
    resource &&
    (await checkEditedResource(dependencies, { resource, manifest, job: { ...resource, namespace, name } }));
  const requester = edited && writerOf(dependencies, edited);
  const found = changesOf({ ...state, source: { ...source, settings } }, manifest);
  if ('faults' in found) throw new RejectedManifestError(found.faults);
  const { job, suspend, changes } = found;
  const anchor = { namespace, name: anchorNameOf(name), uid: anchorUid };
  if (job) await checkLaneOf(dependencies, job);
  const added = job && dependencies.jobs.add(job);
  if (added) {
    await patchAnchor(dependencies, anchor, revisionOnAnchor(job, added.text));
    await askLane(dependencies, { job, anchorUid });
  } else if (resource) await patchAnchor(dependencies, anchor, { annotations: versionOnAnchor(resource) });
  return {
    ...(added ? { planned: { plan: job.plan, revision: added.revision } } : {}),
    ...(suspend === undefined ? {} : { suspend }),
    changed: changes.map(({ path }) => path),
    ...(requester === undefined ? {} : { requester }),
  };
}

/** As for a submitted manifest: an error of the parser would recur on each retry. */
function changesOf(present: PresentJob, manifest: unknown) {
  try {
    return changesBetween(present, manifest);
  } catch (error) {
    throw new EngineFaultError('the applied manifest could not be read', { cause: error });
  }
}
