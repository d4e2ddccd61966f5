import { ANSWER_MS } from '../../../contracts/timing.ts';
import type { Explanation } from '../../../contracts/types.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { WorkerAwayError } from '../../errors/errors.ts';
import { ask } from '../../servers/ask.ts';
import { askStatus } from '../../servers/ask-status.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import { outcomeOf } from '../../servers/outcome.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { type KnownStatus, recordedStatus } from '../../servers/recorded-status.ts';
import { failWithoutWorker } from '../../servers/worker-presence.ts';
import { describeLastRun } from './describe-job.ts';
import { explanationOf } from './explanation.ts';

/** Returns the present status, or the outcome; what was recorded last, if no worker answers. */
export function readStatus(
  ports: TemporalPort & Pick<ClientPorts, 'cluster'>,
  job: JobId,
  options: CallOptions,
): Promise<KnownStatus> {
  const { temporal, cluster } = ports;
  const { workflowId } = job;
  return ask({ ports, workflowId, options }, async () => {
    const described = await describeLastRun(ports, job);
    const run = { workflowId, runId: described.runId };
    if (!isOpen(described.status.name)) return outcomeOf(temporal, run);
    const call = () => askStatus(temporal, run, Math.min(options.timeout ?? ANSWER_MS, ANSWER_MS));
    try {
      return await failWithoutWorker(temporal, {
        workflowId,
        call,
        hasFallback: true,
        signal: options.signal,
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof WorkerAwayError)) throw error;
      return recordedStatus(described, cluster);
    }
  });
}

/** Returns what the job waits for, or why it ended, since when, and what the user can do. */
export const explainJob = async (...asked: Parameters<typeof readStatus>): Promise<Explanation> =>
  explanationOf(await readStatus(...asked));
