import type { JobOutcome } from '../../contracts/status.ts';
import { eventually } from '../eventually.ts';
import { describeJob } from '../scenarios/chaos-ends.ts';
import { runBystanders } from './bystanders.ts';
import type { ChaosJobs } from './chaos-participants.ts';
import { runJob } from './course.ts';
import { injectFaults } from './inject-faults.ts';
import { SECONDS } from './options.ts';
import type { Tally } from './tally.ts';
import type { TestEnvironment } from './test-environment.ts';

/** A bound for a broken system: from the end of the chaos to the end of the last job. */
export const REST_MS = 900_000;

interface ChaosOptions {
  readonly tally: Tally;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortController;
}

/** From the first job's submission to the last one's end. Gives what does not end. */
export async function runChaos(
  environment: TestEnvironment,
  chaosJobs: ChaosJobs,
  play: ChaosOptions,
): Promise<readonly string[]> {
  const { chaos, jobs, live, scheduled } = chaosJobs;
  const { tally, ends, closing } = play;
  const course = { chaos, client: environment.stage.client, tally, live, ends, closing: closing.signal };
  const resting = new AbortController();
  const bystanders = runBystanders(environment, chaosJobs, {
    ends,
    closing: closing.signal,
    rests: resting.signal,
  });
  const all = Promise.all([bystanders, ...scheduled.map((job) => runJob(course, job))]);
  // What goes wrong there is told at once.
  const failure = all.then(() => new Promise<never>(() => undefined));
  await Promise.race([injectFaults(chaos, environment, { ms: SECONDS * 1000, tally }), failure]);
  resting.abort();
  const open = () => jobs.filter(({ name }) => !ends.has(name));
  const isDone = eventually('every job is over', () => open().length === 0, { withinMs: REST_MS });
  const hung = await isDone.then(() => [], open);
  closing.abort();
  await all;
  return Promise.all(hung.map(({ name }) => describeJob(name, chaosJobs.control)));
}
