import type { Client } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { MEMO, TRAINING_JOB } from '../../../contracts/messages.ts';
import type { ParentJob } from '../../../contracts/parent-job.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { searchableLabels, searchableText } from '../../../contracts/searchable.ts';
import type { ResourceIdentity } from '../../../contracts/types.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { startTexts } from '../../manifests/start-texts.ts';
import { isAboutSearchAttributes } from '../../servers/temporal-errors.ts';

/** A job to start, and what is recorded with it. */
export interface StartedJob {
  readonly manifest: Manifest;
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly submittedBy: string;
  readonly key: string | undefined;
  readonly why: string | undefined;
  readonly rerunOf?: ParentJob;
  /** The custom resource that it is the job of. */
  readonly resource?: ResourceIdentity;
  readonly hash: string;
  readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';
}

/** Returns the id of the run. Sets search attributes at the start, so that lists show the job before a worker has seen it. */
export async function startJob(client: Client, job: StartedJob): Promise<string> {
  const { kind, metadata } = job.manifest;
  const typedSearchAttributes: SearchAttributePair[] = [
    { key: SEARCH_ATTRIBUTES.kind, value: kind },
    { key: SEARCH_ATTRIBUTES.name, value: metadata.name },
    { key: SEARCH_ATTRIBUTES.namespace, value: metadata.namespace },
    { key: SEARCH_ATTRIBUTES.phase, value: 'Pending' },
    { key: SEARCH_ATTRIBUTES.attempt, value: 1 },
    { key: SEARCH_ATTRIBUTES.submittedBy, value: searchableText(job.submittedBy) },
    ...labelAttributes(job.manifest),
  ];
  const options = startOptions(job);
  try {
    return runIdOf(await client.workflow.start(TRAINING_JOB, { ...options, typedSearchAttributes }));
  } catch (error) {
    if (!isAboutSearchAttributes(error)) throw error;
    // The first worker registers the search attributes, so there was no worker yet. It will also set them.
    return runIdOf(await client.workflow.start(TRAINING_JOB, options));
  }
}

function labelAttributes(manifest: Manifest): SearchAttributePair[] {
  const value = [...searchableLabels(manifest)];
  return value.length > 0 ? [{ key: SEARCH_ATTRIBUTES.labels, value }] : [];
}

const runIdOf = ({ firstExecutionRunId }: { readonly firstExecutionRunId: string }) => firstExecutionRunId;

function startOptions(job: StartedJob) {
  return {
    args: [job.manifest],
    workflowId: job.workflowId,
    taskQueue: job.taskQueue,
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: job.reusePolicy,
    memo: memoOf(job),
    ...startTexts(job.manifest, job),
  } as const;
}

const memoOf = ({ hash, submittedBy, key, why, rerunOf, resource }: StartedJob) => ({
  [MEMO.manifestHash]: hash,
  [MEMO.submittedBy]: submittedBy,
  ...(key === undefined ? {} : { [MEMO.key]: key }),
  ...(why === undefined ? {} : { [MEMO.why]: why }),
  ...(rerunOf === undefined ? {} : { [MEMO.rerunOf]: rerunOf }),
  ...(resource === undefined ? {} : { [MEMO.resource]: resource }),
});
