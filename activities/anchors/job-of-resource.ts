import { readNamedObjects } from '../../cluster/read-named-objects.ts';
import { type JobResource, jobResourceOf, manifestOfResource } from '../../contracts/job-resources.ts';
import type { ConfigMap, OwnerReference } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { controllerOf } from '../../contracts/objects.ts';
import { withReferences } from '../../contracts/references.ts';
import { identityOfResource } from '../../contracts/resource-identity.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { findFramework } from '../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { unreadReferences } from '../../frameworks/manifest/references.ts';
import type { Dependencies } from '../support/dependencies.ts';

/** Returns the custom resource that a job was made from, as an owner of its anchor. */
export function resourceOwnerOf(anchor: Pick<ConfigMap, 'metadata'>): OwnerReference | undefined {
  const owner = controllerOf(anchor);
  return owner && findFramework(owner.apiVersion, owner.kind) ? owner : undefined;
}

/** Returns an owner of an anchor, unless it is gone or another resource has its name by now. */
export async function findOwner(
  { cluster }: Pick<Dependencies, 'cluster'>,
  namespace: string | undefined,
  owner: OwnerReference,
): Promise<JobResource | undefined> {
  const found = await cluster.find(jobResourceOf(owner), namespace, owner.name);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/**
 * Returns the job of an anchor that holds no valid one, as its custom resource has it. The resource owns the objects of the job,
 * too: while it is there, they do not go with the anchor. Undefined for a job without a resource, or with one that is gone.
 */
export async function jobOfResource(
  { cluster, conventions }: Pick<Dependencies, 'cluster' | 'conventions'>,
  { metadata }: ConfigMap,
): Promise<TrainingJob | undefined> {
  const owner = resourceOwnerOf({ metadata });
  if (!owner) return undefined;
  const { namespace, name } = metadata;
  const found = await findOwner({ cluster }, namespace, owner);
  if (!found) return undefined;
  const manifest = manifestOfResource(found);
  // Which objects there are hardly depends on what they say by now.
  const references = await readNamedObjects(cluster, unreadReferences(manifest), namespace ?? '');
  const parsed = parseManifest(withReferences(manifest, references), {
    ...{ namespace: namespace ?? '', conventions, resource: identityOfResource(found) },
  });
  if ('faults' in parsed || name !== anchorNameOf(parsed.job.name)) return undefined;
  return parsed.job;
}
