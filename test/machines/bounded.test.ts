import { describe, expect, it } from '@jest/globals';
import { MESSAGE_LENGTH, MOST_FAILURES } from '../../contracts/digest.ts';
import { formatRanges } from '../../language/index-ranges.ts';
import { aDigest, aPlan } from './builders.ts';
import { aRunWithEvidence } from './machine-run.ts';
import {
  allReady,
  gangJob,
  oneFailed,
  type RunningMachine,
  running,
  startsAgain,
  threePods,
} from './three-pods.ts';

/** What a job takes along into a new run stays small however long it lives: Temporal bears 2 MB, and warns of 256 KB. */

/** Of the context and all that is said about the job; its manifest is not in it. */
const sizeOf = ({ context, status }: RunningMachine) => JSON.stringify([context, status]).length;

type Round = (run: RunningMachine, round: number) => unknown;

/** A resource version that no digest of an earlier round had. */
const resourceVersionOf = (round: number) => 100 + 10 * round;

const LONG = 'a'.repeat(MESSAGE_LENGTH);

/** All that a digest can describe fails at once, each on a node of its own, with much to say. */
const manyFailed = (round: number, attempt: number) => {
  const digest = aDigest(resourceVersionOf(round)).attempt(attempt).master({ ready: 1 });
  digest.workers({ failed: MOST_FAILURES });
  for (let index = 0; index < MOST_FAILURES; index++) {
    const uid = `uid-${round}-${index}`;
    digest.failure({ index, uid, node: `node-${round}-${index}`, exitCode: 1, message: LONG });
  }
  return digest;
};

const manyReady = (round: number, attempt: number) =>
  aDigest(resourceVersionOf(round) + 5)
    .attempt(attempt)
    .master({ ready: 1 })
    .workers({ ready: MOST_FAILURES });

const flaky = {
  failures: {
    rules: [{ class: 'flaky', pattern: 'flaky' }],
    classes: { flaky: { budget: 1_000_000 }, infrastructure: { budget: 1_000_000 } },
  },
  nodes: { avoidForMs: 1e12, avoidAtMost: 10, lostAfterMs: 1_000 },
};

const matched = Object.fromEntries(
  Array.from({ length: MOST_FAILURES }, (_, index) => [`resnet-worker-${index}`, [0]]),
);

const many = (scope: 'gang' | 'role' | 'pod' | 'gangElsewhere') => {
  const plan = aPlan().master().workers(MOST_FAILURES);
  const run = aRunWithEvidence(plan.policy({ ...flaky, restart: { ladder: [{ scope }] } }));
  return run.does('createAttempt', 10).receives(manyReady(-9, 1));
};

const failAll = (run: RunningMachine, round: number) =>
  run.receives(manyFailed(round, run.context.attempt)).captures(matched).retryNow();

const restartGang: Round = (run, round) => {
  failAll(run, round).does('drain').retryNow().does('createAttempt', resourceVersionOf(round));
  return run.receives(manyReady(round, run.context.attempt));
};
const replacePods: Round = (run, round) =>
  failAll(run, round)
    .does('restorePods', resourceVersionOf(round) + 3)
    .receives(manyReady(round, 1));

const loseNode: Round = (run, round) => {
  const { time } = run;
  const lost = allReady(resourceVersionOf(round)).endangered({
    uid: `uid-${round}`,
    node: `node-${round}`,
    since: time,
  });
  run.receives(lost).reaches('nodeLost').captures().retryNow();
  return run
    .does('restorePods', resourceVersionOf(round) + 1)
    .receives(allReady(resourceVersionOf(round) + 5));
};

const restartInPlace: Round = (run, round) => {
  const resourceVersion = resourceVersionOf(round);
  run.receives(aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }).restarts(1));
  return run.receives(allReady(resourceVersion + 1));
};

const suspendAndResume: Round = (run, round) => {
  run.suspend().does('suspend').resume().does('createAttempt', resourceVersionOf(round));
  return run.receives(allReady(resourceVersionOf(round) + 1, run.context.attempt));
};

const holdAndRelease: Round = (run, round) => {
  const { attempt } = run.context;
  run
    .hold(600)
    .receives(oneFailed(resourceVersionOf(round), {}, attempt))
    .captures()
    .release()
    .retryNow();
  return startsAgain(run, resourceVersionOf(round) + 1);
};

const asksForMuch: Round = (run, round) =>
  run.extendDeadline(60, `extended by ana: ${'because '.repeat(1_000)}${round}`);

const getsOn: Round = (run, round) =>
  run.receives(allReady(resourceVersionOf(round)).lastReportAt(round).progress(`step ${round}`, round));

/** More often than what is kept of each time. Where many fail each time, a few more show all that grows. */
const [OFTEN, MANY_TIMES] = [60, 120];

const LIVES: readonly [says: string, born: () => RunningMachine, round: Round, times?: number][] = [
  ['a gang starts again', () => many('gang'), restartGang, OFTEN],
  ['a gang starts again elsewhere', () => many('gangElsewhere'), restartGang, OFTEN],
  ['single pods are replaced', () => many('pod'), replacePods, OFTEN],
  ['a role starts again', () => many('role'), replacePods, OFTEN],
  ['a node is lost', () => running(threePods().policy(flaky)), loseNode],
  ['a container is restarted in place', () => running(), restartInPlace],
  ['a job is suspended and resumed', () => running(gangJob()), suspendAndResume],
  ['a failed gang is held and released', () => running(gangJob()), holdAndRelease],
  ['somebody asks for something, with many words', () => running(threePods().deadline(600)), asksForMuch],
  ['a job gets on', () => running(threePods().policy({ progress: { log: 'step' } })), getsOn],
];

describe.each(LIVES)('each time that %s', (_, born, round, times = MANY_TIMES) => {
  const run = born();
  const live = (from: number, to: number) => {
    for (let index = from; index < to; index++) round(run, index);
    return sizeOf(run);
  };

  it('the job keeps the same amount of memory as the time before', () => {
    const young = live(0, times);
    const old = live(times, 2 * times);
    expect(run.status.phase).toBe('Running');
    // Numbers have more digits.
    expect(old).toBeLessThan(young * 1.02);
    expect(old).toBeLessThan(256 * 1024);
  });
});

describe('a job of 5,000 pods', () => {
  it('stores in little space which pods have succeeded, even if it is every other one', () => {
    const run = aRunWithEvidence(aPlan().master().workers(5_000)).does('createAttempt', 10);
    const done = formatRanges(Array.from({ length: 2_500 }, (_, index) => 2 * index));
    run.receives(aDigest(11).master({ ready: 1 }).workers({ ready: 2_500, succeeded: 2_500 }, done));
    expect(run.status.phase).toBe('Running');
    expect(sizeOf(run)).toBeLessThan(64 * 1024);
  });
});
