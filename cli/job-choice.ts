import type { Command } from 'commander';
import type { SignalboxClient } from '../client/client.ts';
import type { JobHandle } from '../client/job-handle.ts';
import { UsageError } from './errors.ts';

/** The job that a command line names. */
export type ChosenJob =
  | { readonly workflowId: string }
  | { readonly name: string; readonly namespace?: string; readonly given: string };

/** Reads what names a job: its name, with or without its namespace, or its workflow id. Contacts no server. */
export function chosenJob(given: string | undefined, command: Command): ChosenJob {
  const { workflowId, namespace } = command.optsWithGlobals<{ workflowId?: string; namespace?: string }>();
  if (workflowId !== undefined) return { workflowId };
  if (given === undefined) throw new UsageError('No job given. Expected its NAME, or --workflow-id.');
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
  try {
    return await client.find({ name: chosen.name, namespace: chosen.namespace });
  } catch (error) {
    if (!isJobNotFound(error)) throw error;
    const job = client.job({ workflowId: chosen.given });
    const isJob = await job.summary().then(
      () => true,
      () => false,
    );
    if (isJob) return job;
    throw error;
  }
}

/** By name, as importing the class would load Temporal’s client before it is needed. */
export const isJobNotFound = (error: unknown): boolean =>
  error instanceof Error && error.name === 'JobNotFoundError';

export const isServerAway = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ServerAwayError';
