import { isDeepStrictEqual } from 'node:util';
import {
  type JobResource,
  jobResourceOf,
  manifestOfResource,
  type ResourceIdentity,
} from '../contracts/job-resources.ts';
import { hashOfAnnotations, identityOfResource } from '../contracts/resource-identity.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { canonicalJson } from '../language/canonical-json.ts';
import { asFields } from '../language/fields.ts';
import type { Dependencies } from './support/dependencies.ts';
import { ResourceError } from './support/failures.ts';

interface ResourceOfJob {
  readonly resource: ResourceIdentity;
  readonly manifest: unknown;
  readonly job: Pick<TrainingJob, 'apiVersion' | 'kind' | 'name' | 'namespace'>;
}

/**
 * Returns the custom resource that a workflow names. Throws unless it exists and says what the workflow was started with: a workflow can be
 * started by anybody, and the resource may have been edited or deleted since.
 */
export async function checkResource(
  { cluster }: Pick<Dependencies, 'cluster'>,
  { resource, manifest, job }: ResourceOfJob,
): Promise<JobResource> {
  const found = await findResource({ cluster }, { resource, job });
  if (canonicalJson(manifestOfResource(found)) !== canonicalJson(manifest)) {
    throw changed(job, 'its workflow had been started');
  }
  return found;
}

/** Throws where only jobs of custom resources run: whoever may start workflows could have any pod otherwise. */
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
  const found = await findResource({ cluster }, { resource, job });
  const identity = { ...identityOfResource(found), apiVersion: resource.apiVersion };
  const isSame =
    isDeepStrictEqual(identity, resource) && saysOf(manifestOfResource(found)) === saysOf(manifest);
  if (!isSame) throw changed(job, `generation ${resource.generation} had been sent`);
  return found;
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
): Promise<JobResource> {
  const { namespace, name } = job;
  const found = await cluster.find(jobResourceOf(job), namespace, name);
  if (found && found.metadata.uid === resource.uid && !found.metadata.deletionTimestamp) return found;
  const called = `${job.kind} ${namespace}/${name}`;
  throw new ResourceError('ResourceDeleted', `${called} with uid ${resource.uid} does not exist any more`);
}

const changed = ({ kind, namespace, name }: ResourceOfJob['job'], since: string) =>
  new ResourceError('ResourceChanged', `${kind} ${namespace}/${name} was edited after ${since}`);
