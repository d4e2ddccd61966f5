import { LABELS, workflowIdOf } from '../../../contracts/labels.ts';
import {
  type ParameterSweep,
  parameterSweepOf,
  type SweepSummary,
  type SweepTrial,
  trialKeyOf,
} from '../../../contracts/parameter-sweep.ts';
import { isFinal } from '../../../contracts/status.ts';
import { withoutUndefined } from '../../../language/fields.ts';
import { findWorkflow } from '../../../temporal/find-workflow.ts';
import { workflowStart } from '../../../temporal/workflow-start.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { inFlight } from '../../servers/in-flight.ts';
import type { JobId } from '../../servers/job-id.ts';
import { outcomeOf } from '../../servers/outcome.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { type JobSummary, summaryOf } from '../../servers/summary.ts';
import { listJobs } from '../find/list-jobs.ts';
import { describeLastRun } from '../observe/describe-job.ts';
import { readStatus } from '../observe/job-status.ts';
import { countCombinations } from './combinations.ts';
import { sweepSummary } from './observe-sweep.ts';
import { trialAt } from './trial-manifest.ts';

type Ports = TemporalPort & Pick<ClientPorts, 'cluster'>;

/**
 * Returns all trials of a sweep, in their order, with what each is and the last progress that it reported. Asks for the
 * status of each one that was started.
 */
export const listTrials = (
  ports: Ports,
  sweep: JobId,
  options: CallOptions,
): Promise<readonly SweepTrial[]> =>
  ask({ ports, workflowId: sweep.workflowId, options }, async () => {
    const { workflowId, runId } = await describeLastRun(ports, sweep);
    const [start, summary, jobs] = await Promise.all([
      workflowStart(ports.temporal, { workflowId, runId }),
      sweepSummary(ports, { workflowId, runId }, options),
      jobsOfTrials(ports, workflowId, options),
    ]);
    const on: Listing = {
      ...{ ports, summary, jobs, options },
      ...{ sweep: start.input[0] as ParameterSweep, runId: start.firstRunId },
    };
    const indexes = Array.from({ length: countCombinations(on.sweep.set) }, (_, index) => index);
    const trials: SweepTrial[] = [];
    for await (const { value, error } of inFlight(indexes, (index) => trialOf(on, index), options)) {
      if (error) throw error;
      trials.push(value);
    }
    return trials.sort((one, other) => one.index - other.index);
  });

interface Listing {
  readonly ports: Ports;
  readonly sweep: ParameterSweep;
  /** The first run of its workflow, which is in the keys of its trials. */
  readonly runId: string;
  readonly summary: SweepSummary;
  /** By workflow id and key, also those of earlier sweeps of the name. */
  readonly jobs: ReadonlyMap<string, JobSummary>;
  readonly options: CallOptions;
}

async function jobsOfTrials({ temporal }: TemporalPort, workflowId: string, options: CallOptions) {
  const { namespace, name } = parameterSweepOf(workflowId)!;
  const jobs = new Map<string, JobSummary>();
  for await (const job of listJobs(temporal, { namespace, labels: { [LABELS.sweep]: name } }, options))
    jobs.set(placeOf(job.workflowId, job.key), job);
  return jobs;
}

const placeOf = (workflowId: string, key = '') => `${workflowId} ${key}`;

async function trialOf(on: Listing, index: number): Promise<SweepTrial> {
  const { name, values } = trialAt(on.sweep, index);
  const { namespace, trials, waiting, failures } = on.summary;
  const workflowId = workflowIdOf({ namespace, name });
  const trial = { index, name, workflowId, values };
  const key = trialKeyOf(on.runId, index);
  const own = on.jobs.get(placeOf(workflowId, key));
  if (own) return startedTrial(on, trial, own);
  if (index >= trials - waiting) return { ...trial, phase: 'Waiting' };
  const refused = failures.find((failure) => failure.name === name && failure.phase === 'Refused');
  if (refused) return { ...trial, phase: 'Refused', why: refused.why };
  // The visibility store is behind, or the trial has no job of its own.
  const found = await findWorkflow(on.ports.temporal, workflowId);
  if (!found) return { ...trial, phase: 'Unknown', why: 'Temporal has no job of this name, or no longer.' };
  const job = summaryOf(found);
  const isDone = job.key === key || job.phase === 'Completed';
  return isDone
    ? startedTrial(on, trial, job)
    : { ...trial, phase: 'Refused', why: 'Another job has the name.' };
}

type Numbered = Pick<SweepTrial, 'index' | 'name' | 'workflowId' | 'values'>;

async function startedTrial(on: Listing, trial: Numbered, job: JobSummary): Promise<SweepTrial> {
  const { phase, reason, runId, startTime, endTime } = job;
  const progress = await progressOf(on, job);
  return { ...trial, phase, ...withoutUndefined({ reason, progress, runId, startTime, endTime }) };
}

/** What is not to be had now is left out: the other trials are shown. */
async function progressOf(
  { ports, options }: Listing,
  { workflowId, runId, phase }: JobSummary,
): Promise<string | undefined> {
  const read = isFinal(phase)
    ? outcomeOf(ports.temporal, { workflowId, runId })
    : readStatus(ports, { workflowId, runId }, options);
  const status = await read.catch(() => undefined);
  options.signal?.throwIfAborted();
  return status?.progress;
}
