import type { WorkflowExecutionDescription } from '@temporalio/client';
import { JobNotFoundError } from '../client/errors/errors.ts';
import { ask } from '../client/servers/ask.ts';
import type { JobId } from '../client/servers/job-id.ts';
import { locateJob } from '../client/use-cases/find/find-jobs.ts';
import { TRAINING_JOB } from '../contracts/messages.ts';
import { findWorkflow, firstRunIdOf, hasFirstRun } from '../temporal/find-workflow.ts';
import { missingArgument } from './checked-arguments.ts';
import type { RpcCall } from './rpc-call.ts';

/** A job as Temporal has it: a run, and the first one, which tells it from later jobs of its workflow id. */
type FoundJob = Required<JobId>;

type Servers = Pick<RpcCall, 'ports' | 'signal'>;

/**
 * Returns the job that a client names, by any of its runs. Throws `JobNotFoundError` for a workflow that is no job: what the
 * others do is not for everybody who may ask about jobs.
 */
export async function foundJob({ ports, signal }: Servers, job: JobId): Promise<FoundJob> {
  const { workflowId } = job;
  const described = await ask({ ports, workflowId, options: { signal } }, () =>
    describe({ ports, signal }, job),
  );
  if (described.type !== TRAINING_JOB) throw new JobNotFoundError(workflowId);
  return { workflowId, runId: described.runId, firstRunId: firstRunIdOf(described) };
}

/** Retention may have deleted the run that is named, and left later ones of the job. */
async function describe(
  { ports: { temporal } }: Servers,
  { workflowId, runId, firstRunId = runId }: JobId,
): Promise<WorkflowExecutionDescription> {
  const named = runId === undefined ? undefined : await findWorkflow(temporal, workflowId, runId);
  if (named) return named;
  const last = await temporal.workflow.getHandle(workflowId).describe();
  return hasFirstRun(last, firstRunId)
    ? last
    : temporal.workflow.getHandle(workflowId, firstRunId).describe();
}

/** Returns the job that a selector means. */
export async function selectedJob(call: Servers, named: Named): Promise<FoundJob> {
  const options = { signal: call.signal };
  return foundJob(call, await locateJob(call.ports, jobSelector(named), options));
}

interface Named {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly workflowId?: string | undefined;
  readonly run?: string | undefined;
}

type Selector =
  | { readonly workflowId: string; readonly run?: string }
  | { readonly name: string; readonly namespace: string; readonly run?: string };

/** Throws `RefusedError` if nothing is named. */
export function jobSelector({ name, namespace, workflowId, run }: Named): Selector {
  if (workflowId !== undefined) return { workflowId, run };
  if (name === undefined) throw missingArgument('workflowId', 'a workflow id, or name and namespace');
  if (namespace === undefined) throw missingArgument('namespace', 'the namespace of the name');
  return { name, namespace, run };
}
