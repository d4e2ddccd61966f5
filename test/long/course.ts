import { setTimeout as delay } from 'node:timers/promises';
import type { SignalboxClient } from '../../client/client.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { endWell, followEnd } from '../scenarios/chaos-ends.ts';
import { FATES, type Fate } from '../scenarios/chaos-fates.ts';
import type { Hand } from '../scenarios/chaos-hand.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import type { Monkey } from '../scenarios/chaos-monkey.ts';
import type { Life } from './jobs.ts';
import type { Tally } from './tally.ts';
import { unlessTrouble, untilDone } from './until-done.ts';

export interface Course {
  readonly monkey: Monkey;
  readonly client: SignalboxClient;
  readonly tally: Tally;
  /** Jobs that were submitted and are not known to have ended. */
  readonly live: Set<ChaosJob>;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortSignal;
}

/** As often as a fate is at work, for whoever got around it the time before. */
const PATIENCE_MS = 3_000;

/** From its submission, at its time, to its end. */
export async function liveThrough(course: Course, { job, from, until }: Life): Promise<void> {
  const { monkey, client, tally, live, ends, closing } = course;
  const born = Date.now();
  await pause(from, closing);
  if (closing.aborted) return;
  await untilDone(() => client.submit(job.manifest));
  monkey.note(`${job.name} is submitted`);
  live.add(job);
  const over = untilKnown(course, job).finally(() => live.delete(job));
  await pause(until - (Date.now() - born), closing);
  if (job.fate !== 'completes') tally.add(`fate: ${job.fate}`);
  while (!ends.has(job.name) && !closing.aborted) {
    await sealed(course, job).catch(unlessTrouble);
    await pause(PATIENCE_MS, closing);
  }
  await over;
}

async function untilKnown({ monkey, ends, closing }: Course, { name }: ChaosJob): Promise<void> {
  while (!ends.has(name) && !closing.aborted) {
    await followEnd(monkey, { name, ends, closing }).catch(unlessTroubleOr(closing));
    await pause(PATIENCE_MS, closing);
  }
}

async function sealed({ monkey }: Course, job: ChaosJob): Promise<void> {
  const { hand, note } = monkey;
  if (job.fate === 'completes') return goOn(job, hand);
  const { seal }: Fate = FATES[job.fate];
  if (!seal) return;
  note(`${job.name}: its fate is at work`);
  await seal(job.name, hand);
}

/** Nothing keeps it from its end. What it says itself is not asked for: hundreds of questions would keep the worker busy. */
async function goOn(job: ChaosJob, hand: Hand): Promise<void> {
  const handle = hand.jobs.get(job.name)!;
  const by = { by: 'chaos' };
  const { phase } = await handle.summary();
  if (phase === 'Suspended') await handle.resume(by).catch(unlessTrouble);
  if (phase === 'Restarting') {
    await handle.release(by).catch(unlessTrouble);
    await handle.retryNow(by).catch(unlessTrouble);
  }
  await endWell(job, hand);
}

const pause = (ms: number, signal: AbortSignal) =>
  delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined);

const unlessTroubleOr = (closing: AbortSignal) => (error: unknown) => {
  if (!closing.aborted) unlessTrouble(error);
};
