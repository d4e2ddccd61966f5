import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SignalboxError } from '../../client/errors/signalbox-error.ts';
import { isNotFound, isTransient } from '../../cluster/errors.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { courseOf } from './attempts.ts';
import type { ChaosRun } from './chaos-faults.ts';
import type { ChaosJob } from './chaos-jobs.ts';
import { endOf, PLANNED_ENDS, type PlannedEnd } from './chaos-planned-ends.ts';
import type { PodControl } from './chaos-pod-control.ts';
import { attemptOf, hasEnded } from './pod-ledger.ts';

/** How each job came to its end, as far as it has. */
export type Ends = ReadonlyMap<string, JobOutcome>;

/** Grows while jobs end. One that cannot be waited for shows as one that does not end. */
export function followEnds(chaos: ChaosRun, closing: AbortSignal): Ends {
  const ends = new Map<string, JobOutcome>();
  for (const name of chaos.control.jobs.keys())
    followEnd(chaos, { name, ends, closing }).catch(() => undefined);
  return ends;
}

/** Between two looks, and between two tries to bring about a planned end. */
const PATIENCE_MS = 1_000;

interface Following {
  readonly name: string;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortSignal;
}

export async function followEnd(
  { control, note }: Pick<ChaosRun, 'control' | 'note'>,
  { name, ends, closing }: Following,
): Promise<void> {
  const outcome = await control.stage.client.job({ name }).wait({ signal: closing });
  const { attempt, restarts } = outcome;
  note(`${name} is over: ${endOf(outcome)}, attempt ${attempt}, ${restarts} restarts`);
  ends.set(name, outcome);
}

/** Brings about the planned end of a job from a random moment on, until the job has ended. */
export async function bringAboutEnd(chaos: ChaosRun, job: ChaosJob, until: Until): Promise<void> {
  const { bringAbout }: PlannedEnd = PLANNED_ENDS[job.plannedEnd];
  if (!bringAbout) return;
  await delay(until.startsAfterMs, undefined, { signal: until.closing }).catch(() => undefined);
  while (!until.ends.has(job.name) && !until.closing.aborted) {
    chaos.note(`${job.name}: its planned end begins`);
    await bringAbout(job, chaos.control).catch(unlessOver);
    await delay(PATIENCE_MS, undefined, { signal: until.closing }).catch(() => undefined);
  }
}

export interface Until {
  readonly ends: Ends;
  readonly startsAfterMs: number;
  readonly closing: AbortSignal;
}

/** A job that is over cannot be ended once more, one without a worker does not answer, and what failed is tried again. */
function unlessOver(error: unknown): void {
  const isOver = error instanceof SignalboxError || error instanceof WorkflowNotFoundError;
  if (!isOver && !isNotFound(error) && !isTransient(error)) throw error;
}

/** Nothing troubles the jobs any more: whatever runs succeeds, and nobody lets them wait. Gives what does not end. */
export async function untilAllEnd(
  { jobs, control }: ChaosRun,
  ends: Ends,
  withinMs: number,
): Promise<string[]> {
  const open = () => jobs.filter(({ name }) => !ends.has(name));
  const letEnd = async () => {
    await Promise.all(open().map((job) => letSucceed(job, control)));
    return open().length === 0;
  };
  const isDone = eventually('every job is over', letEnd, { withinMs, everyMs: 500 });
  const hung = await isDone.then(() => [], open);
  return Promise.all(hung.map(({ name }) => describeJob(name, control)));
}

async function letSucceed(chaosJob: ChaosJob, control: PodControl): Promise<void> {
  const job = control.jobs.get(chaosJob.name)!;
  const { state } = await job.status().catch((): Partial<JobStatus> => ({}));
  // It may be elsewhere by the time that it hears of it.
  const ask = (question: Promise<void>) => question.catch(unlessOver);
  if (state === 'Suspended.Resting') await ask(job.resume({ by: 'chaos' }));
  if (state?.endsWith('.Holding')) await ask(job.release({ by: 'chaos' }));
  if (state === 'Restarting.BackingOff' || state === 'Restarting.Drained') {
    await ask(job.retryNow({ by: 'chaos' }));
  }
  if (chaosJob.plannedEnd === 'completes') await succeedAll(chaosJob, control);
}

/** Whatever runs of the job succeeds. */
export async function succeedAll({ name, workersMaySucceed }: ChaosJob, control: PodControl): Promise<void> {
  const running = control.ledger
    .live(name)
    .filter(({ metadata }) => !isToSucceed(metadata.annotations))
    .filter(({ metadata }) => workersMaySucceed || !metadata.name.includes('-worker-'));
  await Promise.all(running.map((pod) => control.end(pod, 0)));
}

const isToSucceed = (annotations: Readonly<Record<string, string>> | undefined) =>
  annotations?.['signalbox.dev/simulate'] === 'succeeded';

/** Where a job stands, how it came there, and what pods it has, for whoever reads that a test failed. */
export async function describeJob(name: string, { jobs, ledger }: PodControl): Promise<string> {
  const status = await jobs.get(name)!.status().catch(String);
  const pods = ledger
    .all()
    .filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
    .map((pod) => {
      const { name: podName, deletionTimestamp } = pod.metadata;
      const how = `${pod.status?.phase}${deletionTimestamp ? ', leaving' : ''}`;
      return `${podName}/${attemptOf(pod)} ${how}${hasEnded(pod) ? '' : ` on ${pod.spec.nodeName}`}`;
    });
  const course = typeof status === 'string' ? status : courseOf(status);
  return `${name}\n${course}\n${pods.join('\n')}`;
}
