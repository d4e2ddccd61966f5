import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import type { Fault } from '../../../contracts/faults.ts';
import { INVALID_MANIFEST, type Intervention } from '../../../contracts/messages.ts';
import { SWEEP_QUERY, type SweepSummary } from '../../../contracts/parameter-sweep.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { InvalidManifestError, RefusedError } from '../../errors/errors.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions, WaitOptions } from '../../servers/client-settings.ts';
import type { Run } from '../../servers/follow-runs.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { queryJob } from '../../servers/query-job.ts';
import { failWithoutWorker } from '../../servers/worker-presence.ts';
import { stopJob } from '../intervene/send-request.ts';
import { describeLastRun } from '../observe/describe-job.ts';
import { waitForEnd } from '../observe/wait-for-end.ts';

const ANSWER_MS = 10_000;

/** Returns how far a sweep is. A running one is asked, which needs a worker; an ended one has left its summary. */
export const sweepSummary = (
  ports: TemporalPort,
  sweep: JobId,
  options: CallOptions,
): Promise<SweepSummary> =>
  ask({ ports, workflowId: sweep.workflowId, options }, async () => {
    const { status, workflowId, runId } = await describeLastRun(ports, sweep);
    return isOpen(status.name)
      ? askedSummary(ports, { workflowId, runId }, options)
      : lastSummary(ports, { workflowId, runId });
  });

async function askedSummary(
  ports: TemporalPort,
  run: Run,
  { signal }: CallOptions = {},
): Promise<SweepSummary> {
  const { temporal } = ports;
  const call = () =>
    queryJob<SweepSummary | undefined>(temporal, run, { name: SWEEP_QUERY, timeoutMs: ANSWER_MS });
  const { workflowId } = run;
  const summary = await failWithoutWorker(temporal, { workflowId, call, hasFallback: false, signal });
  if (summary) return summary;
  throw new RefusedError(`${run.workflowId} is checking its trials.`, {
    remedy: 'Ask again in some seconds.',
  });
}

/** A terminated sweep could not say its end. */
async function lastSummary(ports: TemporalPort, { workflowId, runId }: Run): Promise<SweepSummary> {
  try {
    return await ports.temporal.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type === INVALID_MANIFEST) throw faultsIn(cause);
    return { ...(await askedSummary(ports, { workflowId, runId })), phase: 'Stopped' };
  }
}

function faultsIn(cause: ApplicationFailure): Error {
  const { faults = [] } = (cause.details?.[0] ?? {}) as { readonly faults?: readonly Fault[] };
  return new InvalidManifestError(faults, [], { of: 'sweep', cause });
}

/** Waits until the last trial has ended, through restarts of servers and workers. */
export const waitForSweep = (
  ports: TemporalPort,
  sweep: JobId,
  options: WaitOptions,
): Promise<SweepSummary> =>
  waitForEnd(ports, sweep, { ...options, read: (last) => lastSummary(ports, last) });

/** Starts no more trials, and stops those that run. Stopping an ended sweep does nothing. */
export const stopSweep = (
  ports: TemporalPort & Pick<ClientPorts, 'user'>,
  sweep: JobId,
  { by, why, ...options }: Intervention & CallOptions,
): Promise<'requested' | 'already-ended'> => stopJob({ ports, job: sweep }, { by, why }, options);
