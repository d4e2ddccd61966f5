import type { WorkflowExecutionDescription } from '@temporalio/client';
import { isConflict } from '../../../cluster/errors.ts';
import {
  asResourceIdentity,
  type JobResource,
  jobResourceOf,
  manifestOfResource,
} from '../../../contracts/job-resources.ts';
import { MEMO, UPDATES } from '../../../contracts/messages.ts';
import type { AmendRequest, ResourceIdentity, ScaleRequest } from '../../../contracts/types.ts';
import { amendManifest, withReplicas } from '../../../frameworks/changes/manifest-changes.ts';
import { findFramework } from '../../../frameworks/kinds/registry.ts';
import type { Dialect } from '../../../frameworks/model/dialect.ts';
import { errorMessage } from '../../../language/error-message.ts';
import { asFields, type Fields } from '../../../language/fields.ts';
import { mergePatchBetween } from '../../../language/merge-patch.ts';
import { RefusedError } from '../../errors/errors.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { summaryOf } from '../../servers/summary.ts';

/** A request that a job has agreed to. */
interface AgreedRequest {
  readonly update: string;
  readonly request: object;
}

/** Another client may write the resource between the look and the act. */
const TRIES = 5;

/** The owner of the fields, as Kubernetes shows it. */
const FIELD_MANAGER = 'signalbox';

/**
 * Writes what a job was asked for into the custom resource that it was made from, if it was made from one: that says all, and
 * its next edit would undo the request. Throws `RefusedError` if the resource cannot be written.
 */
export async function writeToResource(
  ports: Pick<ClientPorts, 'cluster'>,
  described: WorkflowExecutionDescription,
  agreed: AgreedRequest,
): Promise<void> {
  const resource = asResourceIdentity(described.memo?.[MEMO.resource]);
  const patch = resource && patchOf(resource, agreed);
  if (!patch) return;
  const { namespace, name } = summaryOf(described);
  for (let left = TRIES - 1; ; left--) {
    try {
      return await write(ports, { resource, namespace, name, patch });
    } catch (error) {
      if (!isConflict(error) || left === 0) throw unwritten({ resource, namespace, name }, error);
    }
  }
}

type ResourcePatch = (manifest: Fields) => unknown;

/** Undefined for what the manifest of the kind cannot say. */
function patchOf(
  { apiVersion, kind }: ResourceIdentity,
  { update, request }: AgreedRequest,
): ResourcePatch | undefined {
  const field = findFramework(apiVersion, kind)?.dialect.suspend;
  switch (update) {
    case UPDATES.scale: {
      const { role, replicas } = request as ScaleRequest;
      return (manifest) => withReplicas(manifest, { [role]: replicas });
    }
    case UPDATES.amendPolicy: {
      const { policy } = request as AmendRequest;
      return (manifest) => amendManifest(manifest, { policy });
    }
    case UPDATES.suspend:
    case UPDATES.resume:
      return field ? (manifest) => withSuspend(manifest, field, update === UPDATES.suspend) : undefined;
    default:
      return undefined;
  }
}

function withSuspend(manifest: Fields, field: NonNullable<Dialect['suspend']>, suspend: boolean): Fields {
  const spec = asFields(manifest.spec);
  if (field === 'suspend') return { ...manifest, spec: { ...spec, suspend } };
  return { ...manifest, spec: { ...spec, runPolicy: { ...asFields(spec.runPolicy), suspend } } };
}

interface Written {
  readonly resource: ResourceIdentity;
  readonly namespace: string;
  readonly name: string;
}

async function write(
  { cluster }: Pick<ClientPorts, 'cluster'>,
  { resource, namespace, name, patch: patched }: Written & { readonly patch: ResourcePatch },
): Promise<void> {
  const client = await cluster();
  const kind = jobResourceOf(resource);
  const found = await client.find<JobResource>(kind, namespace, name);
  if (found?.metadata.uid !== resource.uid) return;
  const { uid, resourceVersion } = found.metadata;
  const manifest = manifestOfResource(found);
  const patch = mergePatchBetween(manifest, asFields(patched(manifest)));
  if (!patch) return;
  const body = { ...patch, metadata: { ...asFields(patch.metadata), uid, resourceVersion } };
  await client.patch(kind, { namespace, name, fieldManager: FIELD_MANAGER }, body);
}

function unwritten({ resource, namespace, name }: Written, cause: unknown): RefusedError {
  const called = `${resource.kind} ${namespace}/${name}`;
  const message = `The job does what was asked, but ${called} could not be written: ${errorMessage(cause)}.`;
  const remedy = `Edit it (kubectl edit ${resource.kind.toLowerCase()} ${name} -n ${namespace}): its next edit would undo this.`;
  return new RefusedError(message, { cause, remedy });
}
