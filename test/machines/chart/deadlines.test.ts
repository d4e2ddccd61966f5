import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan, type PlanBuilder } from '../builders.ts';
import { aRunWithEvidence, type MachineRun } from '../machine-run.ts';
import { allPlaced, allReady, oneFailed, withLadder } from '../three-pods.ts';

const MINUTE = 60_000;

/** A job whose policy has every limit. */
const limited = () =>
  withLadder({ scope: 'pod', withinMs: 15 * MINUTE })
    .deadline(7200)
    .policy({
      progress: { log: 'step=(\\d+)', stalledAfterMs: 10 * MINUTE },
      failures: { startUpAfterMs: 20 * MINUTE },
      nodes: { lostAfterMs: 5 * MINUTE, forceDeleteAfterMs: 30 * MINUTE },
      holdOnFailureMs: 60 * MINUTE,
      checkpoint: { file: '/ckpt/now', withinMs: 2 * MINUTE },
    });
const accepted = () => aRunWithEvidence(limited());
const scheduling = () => accepted().does('createAttempt', 10);
const running = () => scheduling().receives(allReady(10));
const capturing = () => running().receives(oneFailed(11));
const held = () => capturing().captures();
const replacing = () => held().release();
const draining = () => running().reaches('stall').captures().release();

const COURSES: readonly (readonly [state: string, () => MachineRun, readonly string[]])[] = [
  ['Pending.Creating', accepted, []],
  ['Pending.Scheduling', scheduling, ['activeDeadline', 'startUp']],
  ['Starting.Waiting', () => scheduling().receives(allPlaced(10)), ['activeDeadline', 'startUp']],
  ['Running', running, ['activeDeadline', 'stall']],
  [
    'Running',
    () => running().receives(allReady(11).endangered({ since: 0 })),
    ['activeDeadline', 'nodeLost', 'stall'],
  ],
  ['Restarting.Capturing', capturing, ['activeDeadline']],
  ['Restarting.Holding', held, ['activeDeadline', 'hold']],
  ['Restarting.Replacing', replacing, ['activeDeadline', 'forceDelete', 'recovery']],
  [
    'Pending.Scheduling',
    () => replacing().does('restorePods', 20),
    ['activeDeadline', 'startUp', 'recovery'],
  ],
  ['Restarting.Draining', draining, ['activeDeadline', 'forceDelete']],
  ['Pending.Creating', () => draining().does('drain'), ['activeDeadline']],
  ['Restarting.Checkpointing', () => running().receives(allReady(11).evicted()), ['checkpoint']],
  ['Suspended.Draining', () => running().suspend(), ['forceDelete']],
  ['Suspended.Resting', () => running().suspend().does('suspend'), []],
  ['Finishing.Checkpointing', () => running().stop('', { checkpoint: true }), ['checkpoint']],
  ['Finishing.CleaningUp', () => running().stop(), []],
  ['Stopped', () => running().stop().does('cleanUp'), []],
];

describe('the deadlines of a job in', () => {
  it.each(COURSES)('%s (course %#)', (state, course, names) => {
    const run = course();
    expect([run.state, Object.keys(run.deadlines)]).toEqual([state, names]);
  });

  it.each(COURSES)('%s (course %#), in another run of the workflow', (_, course) => {
    const run = course();
    const { deadlines } = run;
    expect(run.continueAsNew().deadlines).toEqual(deadlines);
  });
});

describe('a change of the policy', () => {
  const changed = (policy: Parameters<PlanBuilder['policy']>[0]) => limited().policy(policy);

  it('moves the time after which pods are deleted by force', () => {
    const run = running().suspend().waits(59);
    expect(run.amend(changed({ nodes: { forceDeleteAfterMs: 5 * MINUTE } })).secondsTo('forceDelete')).toBe(
      240,
    );
    expect(run.amend(limited().policy({ nodes: {} })).secondsTo('forceDelete')).toBe(1739);
  });

  it('moves the end of a hold, except a requested one', () => {
    const run = held().waits(59);
    const shorter = changed({ holdOnFailureMs: 10 * MINUTE });
    expect(run.amend(shorter).secondsTo('hold')).toBe(540);
    expect(run.hold(30).amend(limited()).secondsTo('hold')).toBe(29);
  });

  it('moves the end of the wait for a refused request', () => {
    const run = accepted().isRefused('createAttempt', { reason: 'QuotaExceeded', message: 'exceeded' });
    run.waits(59).amend(changed({ refusals: { failAfterMs: 5 * MINUTE } }));
    expect(run.secondsTo('refused')).toBe(240);
  });

  it('does not move a limit that was set by a restart', () => {
    const run = replacing().waits(59);
    run.amend(withLadder({ scope: 'pod', withinMs: 5 * MINUTE }));
    expect(run.secondsTo('recovery')).toBe(840);
  });
});

it('pods that ran before have no start-up limit', () => {
  const run = running().receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }));
  expect([run.state, run.amend(limited()).secondsTo('startUp')]).toEqual(['Starting.Waiting', undefined]);
});

it('pods of a scaled role have no start-up limit before their replacement is complete', () => {
  const elastic = (workers: number) =>
    aPlan()
      .workersWith(workers, { restartPolicy: 'OnFailure', scales: { min: 1, max: 9 } })
      .policy({ failures: { startUpAfterMs: MINUTE } });
  const failed = aDigest(11).workers({ scheduled: 1, failed: 1 }).failure({ exitCode: 1 });
  const run = aRunWithEvidence(elastic(2)).does('createAttempt', 10).receives(failed).captures();
  expect([run.state, run.amend(elastic(3)).state]).toEqual(['Restarting.Replacing', 'Pending.Scaling']);
  expect(run.secondsTo('startUp')).toBeUndefined();
  expect(run.does('scale', 20).secondsTo('startUp')).toBe(60);
});
