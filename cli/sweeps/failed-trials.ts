import type { SignalboxClient } from '../../client/handles/client.ts';
import type { FailedTrial, SweepSummary } from '../../contracts/parameter-sweep.ts';
import { failedLog } from '../jobs/job-end.ts';
import type { ShownSweep } from '../print/sweep-text.ts';

/** People wait no longer for a worker that does not answer. */
const ANSWER_MS = 2_000;

/** Adds to each trial that a summary names as failed what its log says, as the end of one job does. */
export async function withErrorLines(
  client: Pick<SignalboxClient, 'job'>,
  { failures, ...summary }: SweepSummary,
): Promise<ShownSweep> {
  const read = async (trial: FailedTrial) => {
    if (trial.phase !== 'Failed') return trial;
    const job = client.job({ name: trial.name, namespace: summary.namespace });
    const log = await job.status({ timeout: ANSWER_MS }).then((status) => failedLog(job, status));
    return { ...trial, ...log };
  };
  return {
    ...summary,
    failures: await Promise.all(failures.map((trial) => read(trial).catch(() => trial))),
  };
}
