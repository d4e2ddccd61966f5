import { timeoutSignal } from '../../../language/timers.ts';
import { WaitTimeoutError } from '../../errors/errors.ts';
import { translated } from '../../servers/ask.ts';
import type { WaitOptions } from '../../servers/client-settings.ts';
import { closedRunOf, type Run, untilAnswered } from '../../servers/follow-runs.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { TemporalPort } from '../../servers/ports.ts';
import { startingRun } from './describe-job.ts';

/**
 * Waits until a workflow has closed, through restarts of servers and workers and lost connections. Returns what `read` finds
 * in its last run. Throws `WaitTimeoutError`.
 */
export async function waitForEnd<T>(
  ports: TemporalPort,
  job: JobId,
  { timeout, signal, read }: WaitOptions & { readonly read: (last: Run) => Promise<T> },
): Promise<T> {
  const limit = timeout === undefined ? undefined : timeoutSignal(timeout);
  const signals = [signal, limit].filter((one) => one !== undefined);
  const options = { signal: signals.length > 0 ? AbortSignal.any(signals) : undefined };
  const { temporal } = ports;
  const { workflowId } = job;
  try {
    return await translated({ ports, workflowId }, async () => {
      const last = await closedRunOf(temporal, await startingRun(ports, job, options), options);
      return untilAnswered(temporal, options, () => read(last));
    });
  } catch (error) {
    if (!limit?.aborted || error !== limit.reason) throw error;
    throw new WaitTimeoutError(workflowId, timeout!);
  }
}
