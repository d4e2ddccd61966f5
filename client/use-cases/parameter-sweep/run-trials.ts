import { errorText } from '../../../contracts/error-text.ts';
import { workflowIdOf } from '../../../contracts/labels.ts';
import type {
  FailedTrial,
  ParameterSweep,
  RunningTrial,
  SweepProgress,
  SweepRound,
} from '../../../contracts/parameter-sweep.ts';
import { DEFAULT_AT_MOST, trialKeyOf } from '../../../contracts/parameter-sweep.ts';
import { asFields } from '../../../language/fields.ts';
import {
  InvalidManifestError,
  JobNotFoundError,
  NameTakenError,
  RefusedError,
  WorkerAwayError,
} from '../../errors/errors.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import { inFlight } from '../../servers/in-flight.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { stopJob } from '../intervene/send-request.ts';
import { waitForOutcome } from '../observe/follow-job.ts';
import { isJobOpen } from '../observe/recorded-job.ts';
import { submitJob } from '../submit/submit-job.ts';
import { countCombinations } from './combinations.ts';
import { nameOfTrial, trialAt } from './trial-manifest.ts';

/** The sweep that runs, and who runs it. */
interface RunningSweep {
  /** `user` is who submits the trials. */
  readonly ports: ClientPorts;
  readonly sweep: ParameterSweep;
  /** The first run of its workflow: each run of a sweep has jobs of its own. */
  readonly runId: string;
  readonly signal?: AbortSignal;
}

/** So that a stop, and clients that look, need not wait until a thousand trials are started. */
const STARTS_IN_A_ROUND = 100;
/** An ended job of the name keeps it for some seconds. */
const CLEAN_UP_MS = 60_000;
const MOST_FAILURES = 20;
const MOST_LETTERS = 300;

/**
 * Looks which trials have ended, and starts others in their place, or stops those that run. Idempotent by the keys of the
 * trials: a round that is repeated finds the jobs that it has started.
 */
export async function advanceSweep(on: RunningSweep, { progress, stop }: SweepRound): Promise<SweepProgress> {
  const looked = await afterLook(on, progress);
  if (!stop) return on.sweep.stopOnFailure && looked.ended.Failed > 0 ? looked : afterStarts(on, looked);
  const running: RunningTrial[] = [];
  for await (const { item, value } of inFlight(looked.running, (trial) => stopTrial(on, trial, stop), on))
    running.push(value ?? item);
  return { ...looked, running: inOrder(running) };
}

async function afterLook(on: RunningSweep, progress: SweepProgress): Promise<SweepProgress> {
  const running: RunningTrial[] = [];
  const ended: Ended[] = [];
  for await (const { item, value, error } of inFlight(progress.running, (trial) => look(on, trial), on)) {
    if (error) throw error;
    if (value) ended.push({ ...value, index: item.index });
    else running.push(item);
  }
  return withEnded({ ...progress, running: inOrder(running) }, inOrder(ended));
}

interface Ended {
  readonly index: number;
  readonly phase: 'Completed' | FailedTrial['phase'];
  readonly name: string;
  readonly why: string;
  readonly errorLine?: string;
}

async function look(
  on: RunningSweep,
  { index, runId }: RunningTrial,
): Promise<Omit<Ended, 'index'> | undefined> {
  const { ports, sweep, signal } = on;
  const name = nameOfTrial(sweep, index);
  const job = { workflowId: workflowIdIn(sweep, name), runId, firstRunId: runId };
  try {
    if (await isJobOpen(ports, job, { signal })) return undefined;
    const { phase, cause } = await waitForOutcome(ports, job, { signal });
    const errorLine = cause && errorText(cause);
    return { name, phase, why: cause?.message ?? '', ...(errorLine === undefined ? {} : { errorLine }) };
  } catch (error) {
    if (!(error instanceof JobNotFoundError)) throw error;
    return { name, phase: 'Stopped', why: 'Its workflow was deleted.' };
  }
}

async function afterStarts(on: RunningSweep, progress: SweepProgress): Promise<SweepProgress> {
  const { sweep } = on;
  const { next, running } = progress;
  const free = (sweep.atMost ?? DEFAULT_AT_MOST) - running.length;
  const left = countCombinations(sweep.set) - next;
  const count = Math.max(0, Math.min(free, left, STARTS_IN_A_ROUND));
  const indexes = Array.from({ length: count }, (_, offset) => next + offset);
  const started: RunningTrial[] = [];
  const ended: Ended[] = [];
  for await (const { item: index, value, error } of inFlight(indexes, (one) => start(on, one), on)) {
    if (error) throw error;
    if ('runId' in value) started.push({ index, ...value });
    else ended.push({ index, ...value });
  }
  return withEnded(
    { ...progress, next: next + count, running: inOrder([...running, ...started]) },
    inOrder(ended),
  );
}

type Started = Pick<RunningTrial, 'runId'> | Omit<Ended, 'index'>;

async function start(on: RunningSweep, index: number): Promise<Started> {
  const { ports, sweep, runId, signal } = on;
  const trial = trialAt(sweep, index);
  const { name } = trial;
  try {
    if ('faults' in trial) throw new InvalidManifestError(trial.faults);
    const { namespace } = ports;
    const manifest = checkedManifest(trial.manifest, { namespace });
    const workflowId = workflowIdIn(sweep, name);
    const submission = {
      ...{ manifest, workflowId, key: trialKeyOf(runId, index), why: sweep.why },
      ...{ rerun: false, acceptsCompleted: !sweep.rerun },
    };
    const job = await submitJob(ports, submission, { cleanUpTimeout: CLEAN_UP_MS, signal });
    if (job.submission === 'already-completed') return { name, phase: 'Completed', why: '' };
    return { runId: job.firstRunId ?? job.runId! };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { name, phase: 'Refused', why: error.message };
  }
}

/** Another try would fail, too. */
const isRefusal = (error: unknown) =>
  error instanceof InvalidManifestError || error instanceof NameTakenError || error instanceof RefusedError;

/** A trial that cannot be asked now is asked again in the next round. */
async function stopTrial(
  { ports, sweep, signal }: RunningSweep,
  trial: RunningTrial,
  stop: NonNullable<SweepRound['stop']>,
): Promise<RunningTrial> {
  if (trial.isStopping) return trial;
  const { index, runId } = trial;
  const job = { workflowId: workflowIdIn(sweep, nameOfTrial(sweep, index)), runId, firstRunId: runId };
  try {
    await stopJob({ ports, job }, { by: stop.by ?? ports.user, why: stop.why }, { signal });
    return { ...trial, isStopping: true };
  } catch (error) {
    if (error instanceof WorkerAwayError || error instanceof RefusedError) return trial;
    throw error;
  }
}

const workflowIdIn = ({ manifest }: ParameterSweep, name: string): string =>
  workflowIdOf({ namespace: String(asFields(manifest.metadata).namespace), name });

function withEnded(progress: SweepProgress, some: readonly Ended[]): SweepProgress {
  const ended = { ...progress.ended };
  const failures = [...progress.failures];
  for (const { phase, name, why, errorLine } of some) {
    ended[phase] += 1;
    if (phase === 'Completed') continue;
    const told = errorLine === undefined ? {} : { errorLine };
    const failure = { name, phase, why: why.slice(0, MOST_LETTERS), ...told };
    if (failures.length < MOST_FAILURES) failures.push(failure);
    // A sweep that stops on a failure names it.
    else if (phase === 'Failed' && !failures.some(isFailed)) failures.splice(-1, 1, failure);
  }
  return { ...progress, ended, failures };
}

const isFailed = ({ phase }: FailedTrial) => phase === 'Failed';

const inOrder = <T extends { readonly index: number }>(some: readonly T[]): readonly T[] =>
  some.toSorted((one, other) => one.index - other.index);
