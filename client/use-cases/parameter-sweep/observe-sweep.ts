import {
  ApplicationFailure,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
} from '@temporalio/client';
import { LABELS } from '../../../contracts/labels.ts';
import { INVALID_MANIFEST } from '../../../contracts/messages.ts';
import {
  parameterSweepOf,
  SWEEP_QUERY,
  type SweepSummary,
  type SweepWait,
} from '../../../contracts/parameter-sweep.ts';
import type { ReasonCode } from '../../../contracts/reasons.ts';
import { isFinal, PHASES } from '../../../contracts/status.ts';
import { ANSWER_MS } from '../../../contracts/timing.ts';
import type { Fault, Intervention } from '../../../contracts/types.ts';
import { compareText } from '../../../language/compare-text.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { InvalidManifestError, RefusedError, WorkerAwayError } from '../../errors/errors.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions, WaitOptions } from '../../servers/client-settings.ts';
import type { Run } from '../../servers/follow-runs.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { queryJob } from '../../servers/query-job.ts';
import { failWithoutWorker } from '../../servers/worker-presence.ts';
import { listJobs } from '../find/list-jobs.ts';
import { stopJob } from '../intervene/send-request.ts';
import { describeLastRun } from '../observe/describe-job.ts';
import { waitForEnd } from '../observe/wait-for-end.ts';
import { recordedCounts } from './list-sweeps.ts';

/**
 * Returns how far a sweep is, and what its trials wait for. A running one is asked; if no worker answers, it is what was
 * recorded last. An ended one has left its summary.
 */
export const sweepSummary = (
  ports: TemporalPort,
  sweep: JobId,
  options: CallOptions,
): Promise<SweepSummary> =>
  ask({ ports, workflowId: sweep.workflowId, options }, async () => {
    const described = await describeLastRun(ports, sweep);
    const { status, workflowId, runId } = described;
    if (!isOpen(status.name)) return lastSummary(ports, { workflowId, runId });
    const [summary, waits] = await Promise.all([
      askedSummary(ports, described, options),
      waitsOfTrials(ports, workflowId, options),
    ]);
    return waits.length > 0 ? { ...summary, waits } : summary;
  });

/** The visibility store has what each live job waits for. */
async function waitsOfTrials(
  { temporal }: TemporalPort,
  workflowId: string,
  options: CallOptions,
): Promise<readonly SweepWait[]> {
  const sweep = parameterSweepOf(workflowId);
  if (!sweep) return [];
  const trials = new Map<ReasonCode, number>();
  const labels = { [LABELS.sweep]: sweep.name };
  const filter = { namespace: sweep.namespace, labels, phase: LIVE_PHASES };
  for await (const { reason } of listJobs(temporal, filter, options))
    if (reason) trials.set(reason, (trials.get(reason) ?? 0) + 1);
  return [...trials]
    .map(([reason, count]) => ({ reason, trials: count }))
    .sort((one, other) => other.trials - one.trials || compareText(one.reason, other.reason));
}

const LIVE_PHASES = PHASES.filter((phase) => !isFinal(phase));

/** `described` is read before: a worker that was just killed is waited for until the time for all is over. */
async function askedSummary(
  { temporal }: TemporalPort,
  described: WorkflowExecutionDescription,
  { signal }: CallOptions = {},
): Promise<SweepSummary> {
  const { workflowId, runId } = described;
  const call = () =>
    queryJob<SweepSummary | undefined>(
      temporal,
      { workflowId, runId },
      { name: SWEEP_QUERY, timeoutMs: ANSWER_MS },
    );
  try {
    const summary = await failWithoutWorker(temporal, { workflowId, call, hasFallback: true, signal });
    if (summary) return summary;
  } catch (error) {
    const counts = recordedCounts(described);
    if (!(error instanceof WorkerAwayError) || !counts) throw error;
    return { ...counts, failures: [], recordedIn: 'temporal' };
  }
  throw new RefusedError(`${workflowId} is checking its trials.`, {
    remedy: 'Ask again in some seconds.',
  });
}

/** A terminated sweep could not say its end. */
async function lastSummary(ports: TemporalPort, { workflowId, runId }: Run): Promise<SweepSummary> {
  const handle = ports.temporal.workflow.getHandle(workflowId, runId, { followRuns: false });
  try {
    return await handle.result();
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type === INVALID_MANIFEST) throw faultsIn(cause);
    return { ...(await askedSummary(ports, await handle.describe())), phase: 'Stopped' };
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
