import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionInfo,
} from '@temporalio/client';
import { asResourceIdentity } from '../../../contracts/job-resources.ts';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { manifestHashOf } from '../../../contracts/manifest-hash.ts';
import { MEMO } from '../../../contracts/messages.ts';
import { isReasonCode, type ReasonCode } from '../../../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import type { JobOutcome } from '../../../contracts/status.ts';
import type { ResourceIdentity } from '../../../contracts/types.ts';
import { findWorkflow } from '../../../temporal/find-workflow.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { outcomeOf } from '../../servers/outcome.ts';
import { firstRunOfKnown, newestRunWithKey } from './find-submission.ts';
import { startJob } from './start-job.ts';

/** Who submits and changes the jobs of custom resources: Kubernetes does not tell the bridge who applied one. */
export const KUBERNETES = 'Kubernetes';

/** What Temporal knows of the job of a custom resource. */
export type JobOfResource =
  | { readonly is: 'unknown' }
  /** An open workflow of another job has the name. */
  | { readonly is: 'nameTaken'; readonly runId: string }
  /** `reason`: why it waits, as far as its workflow says. */
  | (StartedFor & { readonly is: 'open'; readonly reason: ReasonCode | undefined })
  | (StartedFor & { readonly is: 'closed'; readonly outcome: JobOutcome });

interface StartedFor {
  readonly runId: string;
  /** Of the resource, when its job was started. */
  readonly generation: number | undefined;
}

interface NamedResource {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Finds the newest run that was started for the resource: the key of its submission is the resource's uid. */
export async function findJobOfResource(
  client: Client,
  { uid, ...job }: NamedResource,
): Promise<JobOfResource> {
  const workflowId = workflowIdOf(job);
  const last = await findWorkflow(client, workflowId);
  if (!last) return { is: 'unknown' };
  const own = await newestRunWithKey(client, last, uid);
  if (!own)
    return isOpen(last.status.name) ? { is: 'nameTaken', runId: firstRunOfKnown(last) } : { is: 'unknown' };
  const generation = asResourceIdentity(own.memo?.[MEMO.resource])?.generation;
  const started = { runId: firstRunOfKnown(own), generation };
  if (isOpen(own.status.name)) return { is: 'open', ...started, reason: reasonOf(own) };
  return { is: 'closed', ...started, outcome: await outcomeOf(client, { workflowId, runId: own.runId }) };
}

function reasonOf({
  typedSearchAttributes: found,
}: Pick<WorkflowExecutionInfo, 'typedSearchAttributes'>): ReasonCode | undefined {
  const reason = found.get(SEARCH_ATTRIBUTES.reason);
  return isReasonCode(reason) ? reason : undefined;
}

interface StartOfResource {
  readonly taskQueue: string;
  /** Whether it may follow an earlier workflow of its name that has ended. */
  readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';
  readonly resource: ResourceIdentity;
  readonly manifest: Manifest;
}

/** Starts the job of a resource, and returns its run; undefined if another workflow has the name, or had it. */
export async function startJobOfResource(
  client: Client,
  { taskQueue, reusePolicy, resource, manifest }: StartOfResource,
): Promise<string | undefined> {
  const hash = manifestHashOf(manifest);
  const workflowId = workflowIdOf(manifest.metadata);
  const job = { manifest, workflowId, taskQueue, resource, hash, submittedBy: KUBERNETES };
  const start = { ...job, key: resource.uid, why: undefined, reusePolicy } as const;
  try {
    return await startJob(client, start);
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}
