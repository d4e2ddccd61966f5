import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { workflowIdOf } from '../contracts/labels.ts';
import { MEMO, TRAINING_JOB } from '../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { findWorkflow } from '../temporal/find-workflow.ts';
import { isOpen } from '../temporal/open-workflows.ts';
import { NameTakenError } from './errors.ts';
import type { Run } from './history.ts';
import { describeRoles, type Manifest } from './manifest.ts';
import { manifestHashOf } from './manifest-hash.ts';
import { outcomeOf } from './outcome.ts';
import { summaryOf } from './summary.ts';
import { isAboutSearchAttributes } from './temporal-errors.ts';

export type SubmitOutcome = 'started' | 'already-running' | 'already-completed';

export interface Submission {
  readonly manifest: Manifest;
  readonly workflowId?: string;
  readonly taskQueue: string;
  readonly submittedBy: string;
  /** Run a completed job again. */
  readonly rerun: boolean;
}

/** Either the id is free, and `reusePolicy` names the earlier ends that a start may follow, or it has the same job. */
type Found =
  | { readonly state: 'free'; readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' }
  | { readonly state: 'same'; readonly outcome: 'already-running' | 'already-completed'; readonly run: Run };

/** Another client may start a job between look and start; after each such round some client's job has started. */
const ROUNDS = 5;

/**
 * Submits a job. Submitting the same manifest twice has no effect; another manifest with the same name is rejected
 * while the first job is live. The server resolves races: the start states the condition it relies on.
 */
export async function submit(
  client: Client,
  submission: Submission,
): Promise<{ run: Run; outcome: SubmitOutcome }> {
  const job = { namespace: submission.manifest.metadata.namespace, name: submission.manifest.metadata.name };
  const workflowId = submission.workflowId ?? workflowIdOf(job);
  const hash = manifestHashOf(submission.manifest);
  for (let round = 1; ; round++) {
    const found = await findExistingRun(client, workflowId, { hash, rerun: submission.rerun });
    if (found.state === 'same') return { run: found.run, outcome: found.outcome };
    try {
      const runId = await start(client, { ...submission, workflowId, hash, reusePolicy: found.reusePolicy });
      return { run: { workflowId, runId }, outcome: 'started' };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || round === ROUNDS) throw error;
    }
  }
}

async function findExistingRun(
  client: Client,
  workflowId: string,
  wanted: { hash: string; rerun: boolean },
): Promise<Found> {
  const last = await findWorkflow(client, workflowId);
  if (!last) return { state: 'free', reusePolicy: 'REJECT_DUPLICATE' };
  const run = { workflowId, runId: last.runId };
  const isSame = last.memo?.[MEMO.manifestHash] === wanted.hash;
  if (isOpen(last.status.name)) {
    if (isSame) return { state: 'same', outcome: 'already-running', run };
    throw nameTaken(summaryOf(last), last.startTime);
  }
  if (isSame && !wanted.rerun && (await hasCompleted(client, run, last.status.name))) {
    return { state: 'same', outcome: 'already-completed', run };
  }
  return { state: 'free', reusePolicy: 'ALLOW_DUPLICATE' };
}

/** The workflow of a stopped job is COMPLETED as well. */
const hasCompleted = async (client: Client, run: Run, status: string) =>
  status === 'COMPLETED' && (await outcomeOf(client, run)).phase === 'Completed';

function nameTaken(live: ReturnType<typeof summaryOf>, since: Date): NameTakenError {
  const { workflowId, phase, name, namespace } = live;
  const own = workflowIdOf({ namespace, name }) === workflowId;
  const stopCommand = own
    ? `\`signalbox stop ${name} -n ${namespace}\``
    : `\`signalbox stop --workflow-id ${workflowId}\``;
  return new NameTakenError({ workflowId, phase, since, stopCommand });
}

type Start = Submission & {
  readonly workflowId: string;
  readonly hash: string;
  readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';
};

/** Sets search attributes at the start, so that lists show the job before a worker has seen it. */
async function start(client: Client, job: Start): Promise<string> {
  const { kind, metadata } = job.manifest;
  const typedSearchAttributes: SearchAttributePair[] = [
    { key: SEARCH_ATTRIBUTES.kind, value: kind },
    { key: SEARCH_ATTRIBUTES.name, value: metadata.name },
    { key: SEARCH_ATTRIBUTES.namespace, value: metadata.namespace },
    { key: SEARCH_ATTRIBUTES.phase, value: 'Pending' },
    { key: SEARCH_ATTRIBUTES.attempt, value: 1 },
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

const runIdOf = ({ firstExecutionRunId }: { readonly firstExecutionRunId: string }) => firstExecutionRunId;

function startOptions(job: Start) {
  const { kind, metadata } = job.manifest;
  return {
    args: [job.manifest],
    workflowId: job.workflowId,
    taskQueue: job.taskQueue,
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: job.reusePolicy,
    memo: { [MEMO.manifestHash]: job.hash, [MEMO.submittedBy]: job.submittedBy },
    staticSummary: `${kind} ${metadata.namespace}/${metadata.name}`,
    staticDetails: describeRoles(job.manifest),
  } as const;
}
