import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SignalboxError } from '../../client/errors.ts';
import { isNotFound } from '../../cluster/errors.ts';
import type { JobOutcome, JobStatus } from '../../contracts/status.ts';
import { eventually } from '../eventually.ts';
import { courseOf } from './attempts.ts';
import { endOf, FATES, type Fate } from './chaos-fates.ts';
import type { Hand } from './chaos-hand.ts';
import type { ChaosJob } from './chaos-jobs.ts';
import type { Monkey } from './chaos-monkey.ts';
import { attemptOf, hasEnded } from './pod-ledger.ts';

/** How each job came to its end, as far as it has. */
export type Ends = ReadonlyMap<string, JobOutcome>;

/** Grows while jobs end. One that cannot be waited for shows as one that does not end. */
export function followEnds(monkey: Monkey, closing: AbortSignal): Ends {
  const ends = new Map<string, JobOutcome>();
  for (const name of monkey.hand.jobs.keys())
    followEnd(monkey, { name, ends, closing }).catch(() => undefined);
  return ends;
}

interface Following {
  readonly name: string;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortSignal;
}

export async function followEnd(
  { hand, note }: Pick<Monkey, 'hand' | 'note'>,
  { name, ends, closing }: Following,
): Promise<void> {
  const outcome = await hand.jobs.get(name)!.wait({ signal: closing });
  const { attempt, restarts } = outcome;
  note(`${name} is over: ${endOf(outcome)}, attempt ${attempt}, ${restarts} restarts`);
  ends.set(name, outcome);
}

/** As often as a fate is at work, for whoever got around it the time before. */
const PATIENCE_MS = 1_000;

/** From some moment on a job's fate is at work, until the job is over. */
export async function sealFate(monkey: Monkey, job: ChaosJob, until: Until): Promise<void> {
  const { seal }: Fate = FATES[job.fate];
  if (!seal) return;
  await delay(until.startsAfterMs, undefined, { signal: until.closing }).catch(() => undefined);
  while (!until.ends.has(job.name) && !until.closing.aborted) {
    monkey.note(`${job.name}: its fate is at work`);
    await seal(job.name, monkey.hand).catch(unlessOver);
    await delay(PATIENCE_MS, undefined, { signal: until.closing }).catch(() => undefined);
  }
}

export interface Until {
  readonly ends: Ends;
  readonly startsAfterMs: number;
  readonly closing: AbortSignal;
}

/** A job that is over cannot be ended once more, and one without a worker does not answer. */
function unlessOver(error: unknown): void {
  const isOver = error instanceof SignalboxError || error instanceof WorkflowNotFoundError;
  if (!isOver && !isNotFound(error)) throw error;
}

/** Nothing troubles the jobs any more: whatever runs succeeds, and nobody lets them wait. Gives what does not end. */
export async function untilAllEnd({ jobs, hand }: Monkey, ends: Ends, withinMs: number): Promise<string[]> {
  const open = () => jobs.filter(({ name }) => !ends.has(name));
  const letEnd = async () => {
    await Promise.all(open().map((job) => letSucceed(job, hand)));
    return open().length === 0;
  };
  const isDone = eventually('every job is over', letEnd, { withinMs, everyMs: 500 });
  const hung = await isDone.then(() => [], open);
  return Promise.all(hung.map(({ name }) => tellOf(name, hand)));
}

async function letSucceed(chaosJob: ChaosJob, hand: Hand): Promise<void> {
  const job = hand.jobs.get(chaosJob.name)!;
  const { state } = await job.status().catch((): Partial<JobStatus> => ({}));
  // It may be elsewhere by the time that it hears of it.
  const ask = (question: Promise<void>) => question.catch(unlessOver);
  if (state === 'Suspended.Resting') await ask(job.resume({ by: 'chaos' }));
  if (state?.endsWith('.Holding')) await ask(job.release({ by: 'chaos' }));
  if (state === 'Restarting.BackingOff' || state === 'Restarting.Drained') {
    await ask(job.retryNow({ by: 'chaos' }));
  }
  if (chaosJob.fate === 'completes') await endWell(chaosJob, hand);
}

/** Whatever runs of the job succeeds. */
export async function endWell({ name, workersMaySucceed }: ChaosJob, hand: Hand): Promise<void> {
  const running = hand.ledger
    .live(name)
    .filter(({ metadata }) => !isToSucceed(metadata.annotations))
    .filter(({ metadata }) => workersMaySucceed || !metadata.name.includes('-worker-'));
  await Promise.all(running.map((pod) => hand.end(pod, 0)));
}

const isToSucceed = (annotations: Readonly<Record<string, string>> | undefined) =>
  annotations?.['signalbox.dev/simulate'] === 'succeeded';

/** Where a job stands, how it came there, and what pods it has, for whoever reads that a test failed. */
export async function tellOf(name: string, { jobs, ledger }: Hand): Promise<string> {
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
