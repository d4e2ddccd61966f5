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
  /** Run again what has completed already. */
  readonly rerun: boolean;
}

/** What stands under a workflow id, and with it which earlier end a new start may follow. */
type Found =
  | { readonly state: 'free'; readonly reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' }
  | { readonly state: 'same'; readonly outcome: 'already-running' | 'already-completed'; readonly run: Run };

/** Another submitter can come between the look and the start; each round of that ends with somebody's job started. */
const ROUNDS = 5;

/**
 * Submitting the same manifest twice is harmless; another manifest under the same name is refused while the first is
 * alive. The server decides races: the start says which state of things it relies on.
 */
export async function submit(
  client: Client,
  submission: Submission,
): Promise<{ run: Run; outcome: SubmitOutcome }> {
  const job = { namespace: submission.manifest.metadata.namespace, name: submission.manifest.metadata.name };
  const workflowId = submission.workflowId ?? workflowIdOf(job);
  const hash = manifestHashOf(submission.manifest);
  for (let round = 1; ; round++) {
    const found = await look(client, workflowId, { hash, rerun: submission.rerun });
    if (found.state === 'same') return { run: found.run, outcome: found.outcome };
    try {
      const runId = await start(client, { ...submission, workflowId, hash, reusePolicy: found.reusePolicy });
      return { run: { workflowId, runId }, outcome: 'started' };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || round === ROUNDS) throw error;
    }
  }
}

async function look(
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

/** A stopped job's workflow completes too. */
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

/** Search attributes at the start, so that a list shows the job before a worker has seen it. */
async function start(client: Client, job: Start): Promise<string> {
  const { kind, metadata } = job.manifest;
  const typedSearchAttributes: SearchAttributePair[] = [
    { key: SEARCH_ATTRIBUTES.kind, value: kind },
    { key: SEARCH_ATTRIBUTES.name, value: metadata.name },
    { key: SEARCH_ATTRIBUTES.namespace, value: metadata.namespace },
    { key: SEARCH_ATTRIBUTES.phase, value: 'Pending' },
  ];
  const options = startOptions(job);
  try {
    return runIdOf(await client.workflow.start(TRAINING_JOB, { ...options, typedSearchAttributes }));
  } catch (error) {
    if (!isAboutSearchAttributes(error)) throw error;
    // The first worker registers them, and there has been none yet; it will write them too.
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
