import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { PODS, SERVICES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../contracts/labels.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { type RunSize, runsOf } from '../workflow-runs.ts';
import type { Clients } from './bench-engine.ts';
import type { EnduranceOptions, TrialName } from './endurance-options.ts';
import { follow } from './followed-job.ts';
import { NAMESPACE, restartingGang } from './workload.ts';

/** What trials are made on. */
interface TrialEnvironment extends Clients {
  readonly say: (text: string) => void;
}

export interface TrialResult {
  readonly title: string;
  readonly milliseconds: number;
  /** How often the job went through what it was tried with. */
  readonly rounds: number;
  readonly runs: readonly RunSize[];
  /** What is not as it must be. */
  readonly faults: readonly string[];
}

export interface Trial {
  readonly name: TrialName;
  endure(environment: TrialEnvironment, options: EnduranceOptions): Promise<TrialResult>;
}

interface Course {
  readonly name: string;
  readonly title: string;
  readonly pods: number;
  readonly rounds: number;
  readonly scheduler?: 'none';
  /** Of each step. */
  readonly limitMs: number;
  /** From a job that runs to one that runs again. */
  readonly round: (live: Live, round: number) => Promise<unknown>;
  readonly expected: (outcome: JobOutcome) => Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** A job while it is tried. */
interface Live {
  readonly cluster: ClusterClient;
  readonly job: JobHandle;
  readonly course: Course;
  until(what: string, holds: (status: JobStatus) => boolean): Promise<JobStatus>;
}

const SMALL = { pods: 4, limitMs: 60_000 };
const LARGE_MS = 1_200_000;
/** Where Temporal begins to warn. */
const MOST_EVENTS = 10_240;
const MOST_BYTES = 10 * 2 ** 20;
const SAID_EVERY = 20;

export const TRIALS: readonly Trial[] = [
  {
    name: 'restarts',
    endure: (environment, { restarts }) =>
      run(environment, {
        ...{ ...SMALL, name: 'restarts', title: `a gang of 4 starts again ${restarts} times` },
        ...{ rounds: restarts, round: restartGang },
        expected: ({ attempt, restarts: made, evidence = [] }) => ({
          attempt: [attempt, restarts + 1],
          restarts: [made, restarts],
          evidence: [evidence.length, Math.min(restarts, 20)],
        }),
      }),
  },
  {
    name: 'suspensions',
    endure: (environment, { suspensions }) =>
      run(environment, {
        ...{
          ...SMALL,
          name: 'suspensions',
          title: `a job of 4 is suspended and resumed ${suspensions} times`,
        },
        ...{ rounds: suspensions, round: suspendAndResume },
        expected: ({ attempt, restarts }) => ({
          attempt: [attempt, suspensions + 1],
          restarts: [restarts, 0],
        }),
      }),
  },
  {
    name: 'large',
    endure: (environment, { pods }) =>
      run(environment, {
        ...{ name: 'large', title: `a job of ${pods} starts again once`, pods, limitMs: LARGE_MS },
        // kube-scheduler takes more than eight minutes to find places for a gang of 5,000.
        ...{ rounds: 1, round: restartGang, scheduler: 'none' },
        expected: ({ attempt, restarts }) => ({ attempt: [attempt, 2], restarts: [restarts, 1] }),
      }),
  },
];

async function run(environment: TrialEnvironment, course: Course): Promise<TrialResult> {
  const { jobs, cluster, temporal, say } = environment;
  const { name, title, rounds } = course;
  say(title);
  const start = performance.now();
  const since = () => Math.round((performance.now() - start) / 1000);
  const job = await jobs.submit(gang(course));
  const { runId } = await temporal.workflow.getHandle(job.workflowId).describe();
  const followed = follow(job);
  const live: Live = {
    cluster,
    job,
    course,
    until: (what, holds) => followed.until(what, holds, course.limitMs),
  };
  await live.until('it runs', isRunning(1));
  say(`  it runs after ${since()} s`);
  for (let round = 1; round <= rounds; round++) {
    await course.round(live, round);
    if (round % SAID_EVERY === 0 || round === rounds) say(`  ${round} of ${rounds} after ${since()} s`);
  }
  await end(environment, podOf(name, 'master-0'), 'succeeded');
  const outcome = await followed.end(course.limitMs);
  const milliseconds = performance.now() - start;
  const runs = await runsOf(temporal, job.workflowId, runId);
  return {
    title,
    rounds,
    milliseconds,
    runs,
    faults: await faultsOf(environment, course, { outcome, runs }),
  };
}

async function restartGang({ cluster, course, until }: Live, round: number): Promise<void> {
  await end({ cluster }, podOf(course.name, `worker-${round % (course.pods - 1)}`), 'failed');
  await until(`attempt ${round + 1} runs`, isRunning(round + 1));
}

async function suspendAndResume({ job, until }: Live, round: number): Promise<void> {
  await job.suspend({ by: 'soak', why: `round ${round}` });
  await until('it is suspended', ({ state, attempt }) => state === 'Suspended.Resting' && attempt === round);
  await job.resume({ by: 'soak' });
  await until(`attempt ${round + 1} runs`, isRunning(round + 1));
}

const isRunning =
  (number: number) =>
  ({ phase, attempt }: JobStatus) =>
    phase === 'Running' && attempt === number;

const podOf = (job: string, member: string) => `${job}-0-${member}`;

async function end(
  { cluster }: Pick<TrialEnvironment, 'cluster'>,
  name: string,
  how: 'succeeded' | 'failed',
) {
  const exitCode = how === 'failed' ? '1' : '0';
  const annotations = { 'signalbox.dev/simulate': how, 'signalbox.dev/simulate-exit-code': exitCode };
  await cluster.patch(PODS, { namespace: NAMESPACE, name }, { metadata: { annotations } });
}

const gang = ({ name, pods, scheduler }: Course) =>
  restartingGang({ prefix: name, jobs: 1, podsPerJob: pods }, { [ANNOTATIONS.gang]: scheduler });

interface Ended {
  readonly outcome: JobOutcome;
  readonly runs: readonly RunSize[];
}

async function faultsOf(
  { cluster }: TrialEnvironment,
  course: Course,
  { outcome, runs }: Ended,
): Promise<string[]> {
  const selection = { namespace: NAMESPACE, labelSelector: `${LABELS.job}=${course.name}-0` };
  const left = async (resource: typeof PODS | typeof SERVICES) =>
    (await cluster.list(resource, selection)).items.length;
  const facts = {
    ...course.expected(outcome),
    phase: [outcome.phase, 'Completed'],
    'pods left': [await left(PODS), 0],
    'Services left': [await left(SERVICES), 0],
    'timeline of at most 100': [outcome.timeline.length <= 100, true],
    'runs beyond what Temporal warns of': [runs.filter(isTooLong).length, 0],
  };
  return Object.entries(facts)
    .filter(([, [found, expected]]) => found !== expected)
    .map(([what, [found, expected]]) => `${what}: expected ${expected}, got ${found}`);
}

const isTooLong = ({ events, bytes }: RunSize) => events > MOST_EVENTS || bytes > MOST_BYTES;
