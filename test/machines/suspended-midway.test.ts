import { describe, expect, it } from '@jest/globals';
import type { PlanBuilder } from './builders.ts';
import { START } from './life.ts';
import {
  type ALife,
  allPlaced,
  allReady,
  oneFailed,
  running,
  startsAgain,
  withLadder,
} from './three-pods.ts';

const policy = {
  progress: { log: 'step', stalledAfterMs: 60_000 },
  failures: { startUpAfterMs: 60_000 },
  nodes: { lostAfterMs: 60_000, forceDeleteAfterMs: 60_000 },
} as const;
const gang = (plan: PlanBuilder = withLadder({ scope: 'gang', withinMs: 60_000 })) =>
  plan.policy(policy).deadline(3600);
const byPod = () => gang(withLadder({ scope: 'pod', withinMs: 60_000 }));
const failed = (plan = gang()) => running(plan).hears(oneFailed(11)).captures();
const twice = (life: ALife) => {
  life.does('restorePods', 20).hears(oneFailed(20)).captures();
  return life;
};

const places: readonly [state: string, arrive: () => ALife][] = [
  ['Pending.Scheduling', () => failed(byPod()).does('restorePods', 20)],
  ['Starting.Waiting', () => running(gang()).hears(allPlaced(11))],
  ['Running', () => running(gang()).hears(allReady(11).endangered({ index: 1, since: START }))],
  ['Restarting.Capturing', () => running(gang()).hears(oneFailed(11))],
  ['Restarting.Holding', () => failed(gang().policy({ holdOnFailureMs: 60_000 }))],
  ['Restarting.Draining', () => failed().does('drain', { left: [{ pod: 'resnet-worker-1' }] })],
  ['Restarting.Drained', () => startsAgain(failed(), 30).hears(oneFailed(31, {}, 2)).captures().does('drain')], // biome-ignore format: one line
  ['Restarting.BackingOff', () => twice(failed(byPod()))],
  ['Restarting.Replacing', () => failed(byPod())],
  ['Pending.Creating', () => failed().does('drain')],
];

describe.each(places)('a job that is suspended in %s', (state, arrive) => {
  const suspended = () => arrive().suspend();

  it('has its pods removed, and no time runs but the one after which that is done by force', () => {
    const life = arrive();
    expect(life.state).toBe(state);
    life.suspend();
    expect([life.state, life.effects, life.deadlines]).toEqual([
      'Suspended.Draining',
      [{ type: 'suspend' }],
      { forceDelete: expect.any(Number) },
    ]);
    expect(life.secondsTo('forceDelete')).toBe(60);
  });

  it('goes on with a new attempt, of which nothing is wrong', () => {
    const life = suspended().does('suspend').resume();
    const { attempt } = life.context;
    expect(life.effects).toMatchObject([{ type: 'createAttempt', attempt }]);
    expect(life.context).toMatchObject({ trouble: undefined, lost: undefined, terminating: undefined });
    life.does('createAttempt', 90).hears(allReady(90, attempt));
    expect([life.state, Object.keys(life.deadlines).sort()]).toEqual([
      'Running',
      ['activeDeadline', 'stall'],
    ]);
  });

  it('has rested: its next restart comes at once', () => {
    const life = suspended().does('suspend').resume().does('createAttempt', 90);
    life.hears(oneFailed(91, {}, life.context.attempt)).captures();
    expect([life.state.startsWith('Restarting.'), life.secondsTo('backOff')]).toEqual([true, undefined]);
  });

  it('keeps what it has spent', () => {
    const before = arrive();
    const spent = ({ context, status }: ALife) => [context.ladder, context.charges, status.restarts];
    expect(spent(before.continueAsNew().suspend().does('suspend').resume())).toEqual(spent(arrive()));
  });

  it('goes on where it was in a new run of the workflow', () => {
    const stayed = suspended().does('suspend').resume();
    const moved = arrive().continueAsNew().suspend().continueAsNew().does('suspend').continueAsNew().resume();
    expect([moved.effects, moved.context]).toEqual([stayed.effects, stayed.context]);
  });

  it('does not hear of effects that were under way', () => {
    const life = suspended().does('drain').does('restorePods', 80).does('capture').does('createAttempt', 80);
    expect([life.state, life.effects]).toEqual(['Suspended.Draining', []]);
  });

  it('can be called back before its pods are gone', () => {
    const life = suspended().resume();
    expect(life.effects).toEqual([]);
    expect(life.does('suspend').effects).toMatchObject([{ type: 'createAttempt' }]);
  });
});
