import type { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { isRunReference, RUN_EXPECTED, splitAtRun } from '../../contracts/run-reference.ts';
import { hasCode, UsageError } from '../shell/errors.ts';

/** The job that a command line names. */
export type ChosenJob = (
  | { readonly workflowId: string }
  | { readonly name: string; readonly namespace?: string; readonly given: string }
) & {
  /** One of several jobs that had the name (contracts/run-reference.ts). */
  readonly run?: string;
};

/**
 * Reads what names a job: its name, with or without its namespace, or its workflow id; then @RUN for one of several jobs
 * of that name. Contacts no server.
 */
export function chosenJob(given: string | undefined, command: Command): ChosenJob {
  const { workflowId } = command.optsWithGlobals<{ workflowId?: string }>();
  if (workflowId !== undefined) return { workflowId };
  if (given === undefined) throw new UsageError('No job given. Expected its NAME, or --workflow-id.');
  const { job, run } = jobAndRun(given);
  return { ...namedJob(job, command), ...(run === undefined ? {} : { run }) };
}

/** What follows an @ and could not be a run belongs to a workflow id. */
function jobAndRun(given: string): { readonly job: string; readonly run?: string } {
  const { job, run } = splitAtRun(given);
  if (run === undefined) return { job: given };
  if (isRunReference(run)) return { job, run };
  if (!/^-|^[0-9a-f]{1,5}$/.test(run)) return { job: given };
  throw new UsageError(`${given}: expected NAME@RUN, got the run ${run}.`, {
    remedy: `RUN is ${RUN_EXPECTED}, as \`signalbox list -o wide\` shows it.`,
  });
}

function namedJob(given: string, command: Command): ChosenJob {
  const { namespace } = command.optsWithGlobals<{ namespace?: string }>();
  const { groups } = /^((job\/)?(?<of>[^/]+)\/)?(?<name>[^/]+)$/.exec(given) ?? {};
  if (!groups?.name) return { workflowId: given };
  if (groups.of !== undefined && namespace !== undefined && groups.of !== namespace) {
    throw new UsageError(`${given} is not in the namespace of --namespace ${namespace}.`);
  }
  return { name: groups.name, namespace: groups.of ?? namespace, given };
}

/** Finds a job by its name or, if no job has that name, by a workflow id that looks like one. */
export async function findJob(client: SignalboxClient, chosen: ChosenJob): Promise<JobHandle> {
  if ('workflowId' in chosen) return client.find(chosen);
  const { name, namespace, given, run } = chosen;
  try {
    return await client.find({ name, namespace, run });
  } catch (error) {
    if (!hasCode(error, 'JobNotFound')) throw error;
    try {
      const job = await client.find({ workflowId: given, run });
      await job.summary();
      return job;
    } catch {
      throw error;
    }
  }
}

/** What a command line names, for messages. */
export function givenNameOf(chosen: ChosenJob): string {
  const given = 'workflowId' in chosen ? chosen.workflowId : chosen.given;
  return chosen.run === undefined ? given : `${given}@${chosen.run}`;
}
