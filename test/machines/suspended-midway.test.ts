import { describe, expect, it } from '@jest/globals';
import type { PlanBuilder } from './builders.ts';
import { START } from './machine-run.ts';
import {
  allPlaced,
  allReady,
  oneFailed,
  type RunningMachine,
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
const failed = (plan = gang()) => running(plan).receives(oneFailed(11)).captures();
const twice = (run: RunningMachine) => {
  run.does('restorePods', 20).receives(oneFailed(20)).captures();
  return run;
};

const places: readonly [state: string, arrive: () => RunningMachine][] = [
  ['Pending.Scheduling', () => failed(byPod()).does('restorePods', 20)],
  ['Starting.Waiting', () => running(gang()).receives(allPlaced(11))],
  ['Running', () => running(gang()).receives(allReady(11).endangered({ index: 1, since: START }))],
  ['Restarting.Capturing', () => running(gang()).receives(oneFailed(11))],
  ['Restarting.Holding', () => failed(gang().policy({ holdOnFailureMs: 60_000 }))],
  ['Restarting.Draining', () => failed().does('drain', { stuckPods: [{ pod: 'resnet-worker-1' }] })],
  ['Restarting.Drained', () => startsAgain(failed(), 30).receives(oneFailed(31, {}, 2)).captures().does('drain')], // biome-ignore format: one line
  ['Restarting.BackingOff', () => twice(failed(byPod()))],
  ['Restarting.Replacing', () => failed(byPod())],
  ['Pending.Creating', () => failed().does('drain')],
];

describe.each(places)('a job that is suspended in %s', (state, arrive) => {
  const suspended = () => arrive().suspend();

  it('has its pods removed, and only the timer of their forced deletion runs', () => {
    const run = arrive();
    expect(run.state).toBe(state);
    run.suspend();
    expect([run.state, run.effects, run.deadlines]).toEqual([
      'Suspended.Draining',
      [{ type: 'suspend' }],
      { forceDelete: expect.any(Number) },
    ]);
    expect(run.secondsTo('forceDelete')).toBe(60);
  });

  it('continues with a new attempt without faults', () => {
    const run = suspended().does('suspend').resume();
    const { attempt } = run.context;
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt }]);
    expect(run.context).toMatchObject({ trouble: undefined, lost: undefined, terminating: undefined });
    run.does('createAttempt', 90).receives(allReady(90, attempt));
    expect([run.state, Object.keys(run.deadlines).sort()]).toEqual(['Running', ['activeDeadline', 'stall']]);
  });

  it('has no back-off left: its next restart is immediate', () => {
    const run = suspended().does('suspend').resume().does('createAttempt', 90);
    run.receives(oneFailed(91, {}, run.context.attempt)).captures();
    expect([run.state.startsWith('Restarting.'), run.secondsTo('backOff')]).toEqual([true, undefined]);
  });

  it('keeps its used budgets', () => {
    const before = arrive();
    const spent = ({ context, status }: RunningMachine) => [context.ladder, context.charges, status.restarts];
    expect(spent(before.continueAsNew().suspend().does('suspend').resume())).toEqual(spent(arrive()));
  });

  it('continues in a new run of the workflow', () => {
    const stayed = suspended().does('suspend').resume();
    const moved = arrive().continueAsNew().suspend().continueAsNew().does('suspend').continueAsNew().resume();
    expect([moved.effects, moved.context]).toEqual([stayed.effects, stayed.context]);
  });

  it('ignores results of effects that were in progress', () => {
    const run = suspended().does('drain').does('restorePods', 80).does('capture').does('createAttempt', 80);
    expect([run.state, run.effects]).toEqual(['Suspended.Draining', []]);
  });

  it('can be resumed before its pods are gone', () => {
    const run = suspended().resume();
    expect(run.effects).toEqual([]);
    expect(run.does('suspend').effects).toMatchObject([{ type: 'createAttempt' }]);
  });
});
