import { jobResourceOf, manifestOfResource, type ResourceIdentity } from '../contracts/job-resources.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { canonicalJson } from '../language/canonical-json.ts';
import type { Dependencies } from './support/dependencies.ts';
import { ResourceError } from './support/failures.ts';

interface ResourceOfJob {
  readonly resource: ResourceIdentity;
  readonly manifest: unknown;
  readonly job: Pick<TrainingJob, 'apiVersion' | 'kind' | 'name' | 'namespace'>;
}

/**
 * Throws unless the custom resource that a workflow names exists and says what the workflow was started with: a workflow can be
 * started by anybody, and the resource may have been edited or deleted since.
 */
export async function checkResource(
  { cluster }: Pick<Dependencies, 'cluster'>,
  { resource, manifest, job }: ResourceOfJob,
): Promise<void> {
  const { namespace, name } = job;
  const called = `${job.kind} ${namespace}/${name}`;
  const found = await cluster.find(jobResourceOf(job), namespace, name);
  if (found?.metadata.uid !== resource.uid || found.metadata.deletionTimestamp) {
    throw new ResourceError('ResourceDeleted', `${called} with uid ${resource.uid} does not exist any more`);
  }
  if (canonicalJson(manifestOfResource(found)) !== canonicalJson(manifest)) {
    throw new ResourceError('ResourceChanged', `${called} was edited after its workflow had been started`);
  }
}
