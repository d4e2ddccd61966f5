import { isDeepStrictEqual } from 'node:util';
import {
  type JobResource,
  jobResourceOf,
  manifestOfResource,
  saysEnded,
  saysInvalid,
} from '../contracts/job-resources.ts';
import { manifestHashOf } from '../contracts/manifest-hash.ts';
import { hashOfAnnotations, identityOfResource } from '../contracts/resource-identity.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { ResourceIdentity } from '../contracts/types.ts';
import { canonicalJson } from '../language/canonical-json.ts';
import { asFields } from '../language/fields.ts';
import type { Dependencies } from './support/dependencies.ts';
import { endedError, ResourceError } from './support/failures.ts';

interface ResourceOfJob {
  readonly resource: ResourceIdentity;
  readonly manifest: unknown;
  readonly job: Pick<TrainingJob, 'apiVersion' | 'kind' | 'name' | 'namespace'>;
}

/** What a workflow is to begin anew with: its custom resource says something else than it was started with. */
export interface ResourceEdited {
  readonly edited: {
    readonly manifest: unknown;
    readonly resource: ResourceIdentity;
    readonly manifestHash: string;
  };
}

/**
 * Returns the custom resource that a workflow names, or what it says if that is not what the workflow was started with: any client of Temporal can start
 * a workflow, and the resource may have been edited since. Throws if it does not exist any more, or has had its job.
 */
export async function checkResource(
  { cluster }: Pick<Dependencies, 'cluster'>,
  { resource, manifest, job }: ResourceOfJob,
): Promise<{ readonly found: JobResource } | ResourceEdited> {
  const { found, identity } = await findResource({ cluster }, { resource, job });
  refuseEnded(found, job);
  const written = manifestOfResource(found);
  if (canonicalJson(written) === canonicalJson(manifest)) return { found };
  return { edited: { manifest: written, resource: identity, manifestHash: manifestHashOf(written) } };
}

/** Throws if the resource has had its job: who may start workflows, and not write resources, would run it once more. */
function refuseEnded(found: JobResource, { kind, namespace, name }: ResourceOfJob['job']): void {
  if (saysEnded(found.status ?? {}) && !saysInvalid(found)) throw endedError(`${kind} ${namespace}/${name}`);
}

/** Throws where only jobs of custom resources run: a user who may start workflows could have any pod otherwise. */
export function refuseWithoutResource(
  { requireResource }: Pick<Dependencies, 'requireResource'>,
  { kind, namespace, name }: ResourceOfJob['job'],
): void {
  if (!requireResource) return;
  const called = `${kind} ${namespace}/${name}`;
  throw new ResourceError('ResourceRequired', `${called} was submitted, and is no custom resource`);
}

/** The same for a manifest that an update applies. What decides nothing, e.g. a label, may have changed since. */
export async function checkEditedResource(
  { cluster }: Pick<Dependencies, 'cluster'>,
  { resource, manifest, job }: ResourceOfJob,
): Promise<JobResource> {
  const { found, identity } = await findResource({ cluster }, { resource, job });
  const isSame =
    isDeepStrictEqual(identity, resource) && saysOf(manifestOfResource(found)) === saysOf(manifest);
  if (isSame) return found;
  const { kind, namespace, name } = job;
  const message = `${kind} ${namespace}/${name} was edited after generation ${resource.generation} had been sent`;
  throw new ResourceError('ResourceChanged', message);
}

/** What a manifest says of its job. */
function saysOf(manifest: unknown): string {
  const { metadata, spec = {} } = asFields(manifest);
  const annotations = hashOfAnnotations(asFields(metadata).annotations as Readonly<Record<string, string>>);
  return canonicalJson({ spec, annotations: annotations ?? '' });
}

async function findResource(
  { cluster }: Pick<Dependencies, 'cluster'>,
  { resource, job }: Omit<ResourceOfJob, 'manifest'>,
): Promise<{ readonly found: JobResource; readonly identity: ResourceIdentity }> {
  const { namespace, name } = job;
  const found = await cluster.find(jobResourceOf(job), namespace, name);
  if (found && found.metadata.uid === resource.uid && !found.metadata.deletionTimestamp) {
    // The API server may answer in another version than the one that people wrote.
    return { found, identity: { ...identityOfResource(found), apiVersion: resource.apiVersion } };
  }
  const called = `${job.kind} ${namespace}/${name}`;
  throw new ResourceError('ResourceDeleted', `${called} with uid ${resource.uid} does not exist any more`);
}
