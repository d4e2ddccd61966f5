import { setTimeout as delay } from 'node:timers/promises';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { beginJob } from '../scenarios/chaos-births.ts';
import { followEnd, succeedAll } from '../scenarios/chaos-ends.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import { PLANNED_ENDS, type PlannedEnd } from '../scenarios/chaos-planned-ends.ts';
import type { PodControl } from '../scenarios/chaos-pod-control.ts';
import type { ScheduledJob } from './jobs.ts';
import type { Tally } from './tally.ts';
import { unlessTrouble, untilDone } from './until-done.ts';

export interface Course {
  readonly chaos: ChaosRun;
  readonly client: SignalboxClient;
  readonly tally: Tally;
  /** Jobs that were submitted and are not known to have ended. */
  readonly live: Set<ChaosJob>;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortSignal;
}

/** Repeats the planned end until the job has ended. */
const PATIENCE_MS = 3_000;

/** From its submission, at its time, to its end. */
export async function runJob(course: Course, { job, from, until }: ScheduledJob): Promise<void> {
  const { chaos, client, tally, live, ends, closing } = course;
  const born = Date.now();
  await pause(from, closing);
  if (closing.aborted) return;
  const how = await untilDone(() => beginJob(chaos.control.stage.cluster, client, job));
  chaos.note(`${job.name} is ${how}`);
  live.add(job);
  const over = untilKnown(course, job).finally(() => live.delete(job));
  await pause(until - (Date.now() - born), closing);
  if (job.plannedEnd !== 'completes') tally.add(`planned end: ${job.plannedEnd}`);
  while (!ends.has(job.name) && !closing.aborted) {
    await sealed(course, job).catch(unlessTrouble);
    await pause(PATIENCE_MS, closing);
  }
  await over;
}

/** Until its end is known, whatever trouble the servers have. */
export async function untilKnown(
  { chaos, ends, closing }: Pick<Course, 'chaos' | 'ends' | 'closing'>,
  { name }: Pick<ChaosJob, 'name'>,
): Promise<void> {
  while (!ends.has(name) && !closing.aborted) {
    await followEnd(chaos, { name, ends, closing }).catch(unlessTroubleOr(closing));
    await pause(PATIENCE_MS, closing);
  }
}

async function sealed({ chaos }: Course, job: ChaosJob): Promise<void> {
  const { control, note } = chaos;
  if (job.plannedEnd === 'completes') return goOn(job, control);
  const { bringAbout }: PlannedEnd = PLANNED_ENDS[job.plannedEnd];
  if (!bringAbout) return;
  note(`${job.name}: its planned end begins`);
  await bringAbout(job, control);
}

/** Nothing keeps it from its end. What it says itself is not asked for: hundreds of questions would keep the worker busy. */
async function goOn(job: ChaosJob, control: PodControl): Promise<void> {
  const handle = control.jobs.get(job.name)!;
  const by = { by: 'chaos' };
  const { phase } = await handle.summary();
  if (phase === 'Suspended') await handle.resume(by).catch(unlessTrouble);
  if (phase === 'Restarting') {
    await handle.release(by).catch(unlessTrouble);
    await handle.retryNow(by).catch(unlessTrouble);
  }
  await succeedAll(job, control);
}

const pause = (ms: number, signal: AbortSignal) =>
  delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined);

const unlessTroubleOr = (closing: AbortSignal) => (error: unknown) => {
  if (!closing.aborted) unlessTrouble(error);
};
