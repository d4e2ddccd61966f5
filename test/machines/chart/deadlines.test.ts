import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { aLifeWithEvidence, type Life } from '../life.ts';
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
const accepted = () => aLifeWithEvidence(limited());
const scheduling = () => accepted().does('createAttempt', 10);
const running = () => scheduling().hears(allReady(10));
const capturing = () => running().hears(oneFailed(11));
const held = () => capturing().captures();
const replacing = () => held().release();
const draining = () => running().reaches('stall').captures().release();

const COURSES: readonly (readonly [state: string, () => Life, readonly string[]])[] = [
  ['Pending.Creating', accepted, []],
  ['Pending.Scheduling', scheduling, ['activeDeadline', 'startUp']],
  ['Starting.Waiting', () => scheduling().hears(allPlaced(10)), ['activeDeadline', 'startUp']],
  ['Running', running, ['activeDeadline', 'stall']],
  [
    'Running',
    () => running().hears(allReady(11).endangered({ since: 0 })),
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
  ['Suspended.Draining', () => running().suspend(), ['forceDelete']],
  ['Suspended.Resting', () => running().suspend().does('suspend'), []],
  ['Finishing.Checkpointing', () => running().stop('', { checkpoint: true }), ['checkpoint']],
  ['Finishing.CleaningUp', () => running().stop(), []],
  ['Stopped', () => running().stop().does('cleanUp'), []],
];

describe('the deadlines of a job in', () => {
  it.each(COURSES)('%s', (state, course, names) => {
    const life = course();
    expect([life.state, Object.keys(life.deadlines)]).toEqual([state, names]);
  });

  it.each(COURSES)('%s, in another run of the workflow', (_, course) => {
    const life = course();
    const { deadlines } = life;
    expect(life.continueAsNew().deadlines).toEqual(deadlines);
  });
});

describe('a change of the policy moves', () => {
  const changed = (policy: Parameters<PlanBuilder['policy']>[0]) => limited().policy(policy);

  it('the time after which pods are deleted by force', () => {
    const life = running().suspend().rests(59);
    expect(life.amend(changed({ nodes: { forceDeleteAfterMs: 5 * MINUTE } })).secondsTo('forceDelete')).toBe(
      240,
    );
    expect(life.amend(limited().policy({ nodes: {} })).secondsTo('forceDelete')).toBe(1739);
  });

  it('the end of a hold, unless somebody has asked for it', () => {
    const life = held().rests(59);
    const shorter = changed({ holdOnFailureMs: 10 * MINUTE });
    expect(life.amend(shorter).secondsTo('hold')).toBe(540);
    expect(life.hold(30).amend(limited()).secondsTo('hold')).toBe(29);
  });

  it('the end of the wait for what is refused', () => {
    const life = accepted().isRefused('createAttempt', { reason: 'QuotaExceeded', message: 'exceeded' });
    life.rests(59).amend(changed({ refusals: { failAfterMs: 5 * MINUTE } }));
    expect(life.secondsTo('refused')).toBe(240);
  });

  it('nothing that was decided with a restart', () => {
    const life = replacing().rests(59);
    life.amend(withLadder({ scope: 'pod', withinMs: 5 * MINUTE }));
    expect(life.secondsTo('recovery')).toBe(840);
  });
});

it('pods that ran before have no limit for their start', () => {
  const life = running().hears(aDigest(11).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }));
  expect([life.state, life.amend(limited()).secondsTo('startUp')]).toEqual(['Starting.Waiting', undefined]);
});
