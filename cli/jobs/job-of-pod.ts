import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { hasCode } from '../shell/errors.ts';
import { type ChosenJob, findJob } from './job-choice.ts';

/** Finds a job by its name, or by that of one of its pods, which people copy from kubectl. */
export async function findJobOrPod(
  client: SignalboxClient,
  chosen: ChosenJob,
): Promise<{ readonly job: JobHandle; readonly pod?: string }> {
  try {
    return { job: await findJob(client, chosen) };
  } catch (error) {
    const name = 'name' in chosen ? jobOfPod(chosen.name) : undefined;
    if (!hasCode(error, 'JobNotFound') || name === undefined || !('name' in chosen)) throw error;
    const { namespace } = chosen;
    const job = await client.find({ name, namespace }).catch(() => undefined);
    if (!job) throw error;
    return { job, pod: chosen.name };
  }
}

/** `train-worker-2` and `train-launcher` are pods of `train`. */
const jobOfPod = (pod: string): string | undefined => /^(.+)-(?:[a-z]+-\d+|launcher)$/.exec(pod)?.[1];
