import { ApplicationFailure, type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { formatFault } from '../../../contracts/faults.ts';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { INVALID_MANIFEST, JOB_ENDED, REFUSED_REQUEST, UPDATES } from '../../../contracts/messages.ts';
import type { ApplyRequest, Fault, ResourceIdentity } from '../../../contracts/types.ts';
import { asFields } from '../../../language/fields.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { isAboutNoWorkflow } from '../../servers/temporal-errors.ts';
import { KUBERNETES } from '../submit/job-of-resource.ts';

/** What a job said to an edit of its resource. */
export type FollowedResource =
  | { readonly is: 'followed' }
  /** It stays as it is. `mayPass`: it may follow later without another edit, e.g. once there is the lane. */
  | { readonly is: 'refused'; readonly why: string; readonly mayPass: boolean }
  /** It is not admitted yet, or the resource was edited once more. */
  | { readonly is: 'asked too early' }
  | { readonly is: 'ended' };

interface EditedResource {
  readonly resource: ResourceIdentity;
  readonly manifest: Manifest;
  /** The first run of the job's workflow. */
  readonly runId: string | undefined;
  /** Names this edit, and no other: a run of the workflow answers twice and acts once. */
  readonly updateId: string;
}

/**
 * Makes the live job of a resource what that says now. May be repeated with the same id as long as it was not answered.
 */
export async function followResource(
  client: Client,
  { resource, manifest, runId, updateId }: EditedResource,
): Promise<FollowedResource> {
  const workflowId = workflowIdOf(manifest.metadata);
  const handle = client.workflow.getHandle(workflowId, undefined, { firstExecutionRunId: runId });
  const request = { manifest, resource, by: KUBERNETES, why: `generation ${resource.generation}` };
  try {
    await handle.executeUpdate<unknown, [ApplyRequest]>(UPDATES.apply, { args: [request], updateId });
    return { is: 'followed' };
  } catch (error) {
    if (isAboutNoWorkflow(error)) return { is: 'ended' };
    const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    if (cause instanceof ApplicationFailure) return answerOf(cause);
    throw error;
  }
}

function answerOf({ type, message, details }: ApplicationFailure): FollowedResource {
  if (type === JOB_ENDED || type === 'ResourceDeleted') return { is: 'ended' };
  if (type === REFUSED_REQUEST || type === 'ResourceChanged') return { is: 'asked too early' };
  const faults = type === INVALID_MANIFEST ? ((details?.[0] ?? []) as readonly Fault[]) : [];
  const { mayPass = false } = asFields(details?.[1]);
  return { is: 'refused', why: faults.map(formatFault).join('; ') || message, mayPass: mayPass === true };
}
