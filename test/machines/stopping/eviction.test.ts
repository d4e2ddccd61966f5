import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan, type PlanBuilder } from '../builders.ts';
import { aQueuedRun, type MachineRun } from '../machine-run.ts';

const plan = () => aPlan().workers(3).backoffLimit(0);
const byFile = () => plan().policy({ checkpoint: { file: '/signalbox/checkpoint', withinMs: 600_000 } });

const group = (resourceVersion: number, { admitted = true, attempt = 1 } = {}) =>
  aDigest(resourceVersion).attempt(attempt).groups(resourceVersion).gang({ scheduled: 'Unknown', admitted });
const ready = (resourceVersion: number) => group(resourceVersion).workers({ ready: 3 });
const running = (of: PlanBuilder = plan()) =>
  aQueuedRun(of).does('createGroup').receives(group(5)).does('createAttempt', 10).receives(ready(11));
const evicted = (of?: PlanBuilder) => running(of).receives(ready(12).evicted());
const DRAINS = [{ type: 'drain', attempt: 1 }];

describe('a job whose queue takes its place back', () => {
  it('stops, says for whom, and waits to be admitted again', () => {
    const run = evicted();
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', DRAINS]);
    expect(run.status).toMatchObject({
      phase: 'Restarting',
      cause: { reason: 'Preempted', message: 'the gang restarts: for job/ml/big' },
    });
    run.does('drain');
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'createGroup', attempt: 2 }]]);
    run.does('createGroup').receives(group(20, { admitted: false, attempt: 2 }));
    expect(run.effects).toEqual([]);
    run.receives(group(21, { attempt: 2 })).does('createAttempt', 30);
    expect(run.receives(group(31, { attempt: 2 }).workers({ ready: 3 })).state).toBe('Running');
  });

  it('pays for it with no restart, also where one of its pods has failed meanwhile', () => {
    const run = running().receives(ready(12).workers({ ready: 2, failed: 1 }).evicted());
    expect(run.state).toBe('Restarting.Draining');
    expect(run.status).toMatchObject({ phase: 'Restarting', restarts: 0 });
  });

  it('is not active while it waits', () => {
    const run = evicted(plan().deadline(60));
    expect(run.deadlines).not.toHaveProperty('activeDeadline');
    run.does('drain').waits(3600);
    expect(run.state).toBe('Pending.Queued');
  });

  it('stays where the word is of another attempt, and ends if its program has ended', () => {
    expect(running().receives(ready(12).evicted({ attempt: 2 })).state).toBe('Running');
    const done = running().receives(group(12).workers({ succeeded: 3 }).evicted());
    expect(done.state).toBe('Finishing.CleaningUp');
    expect(done.status.phase).toBe('Completed');
  });

  it('is heard while the job waits for nodes, holds failed pods or backs off', () => {
    const scheduling = aQueuedRun(plan()).does('createGroup').receives(group(5)).does('createAttempt', 10);
    scheduling.receives(group(11).workers({ unscheduled: 3 }).evicted());
    expect(scheduling.state).toBe('Restarting.Draining');
    const held = running(plan().backoffLimit(1).policy({ holdOnFailureMs: 60_000 }))
      .receives(group(12).workers({ ready: 2, failed: 1 }).failure())
      .captures();
    expect(held.state).toBe('Restarting.Holding');
    expect(held.receives(ready(13).evicted()).state).toBe('Restarting.Draining');
  });
});

describe('an evicted job with a checkpoint file', () => {
  it('is asked for a checkpoint, and goes when it is written', () => {
    const run = evicted(byFile());
    expect([run.state, run.effects, run.secondsTo('checkpoint')]).toEqual([
      'Restarting.Checkpointing',
      [{ type: 'requestCheckpoint', attempt: 1 }],
      600,
    ]);
    expect(run.status.cause).toMatchObject({ reason: 'Preempted' });
    expect(run.does('requestCheckpoint').receives(ready(13).evicted()).state).toBe(
      'Restarting.Checkpointing',
    );
    run.receives(ready(14).evicted().acknowledged());
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', DRAINS]);
    expect(run.lastCause).toBe('the gang restarts: for job/ml/big; a checkpoint was acknowledged');
  });

  type Way = readonly [says: string, tells: string, go: (run: MachineRun) => MachineRun];
  const ways: readonly Way[] = [
    ['its time is over', 'no checkpoint was acknowledged within 600s', (run) => run.reaches('checkpoint')],
    ['its pods end', 'its pods ended before a checkpoint was acknowledged', (run) => run.receives(group(13).workers({ failed: 3 }).evicted())], // biome-ignore format: one line
    ['it cannot be asked', 'the checkpoint could not be requested: no', (run) => run.failsTo('requestCheckpoint', { reason: 'ClusterRefused', message: 'no' })], // biome-ignore format: one line
  ];
  it.each(ways)('goes when %s, too', (_, message, go) => {
    const run = go(evicted(byFile()));
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', DRAINS]);
    expect(run.lastCause).toBe(`the gang restarts: for job/ml/big; ${message}`);
  });

  it('is complete if its program ends well meanwhile', () => {
    const run = evicted(byFile()).receives(group(13).workers({ succeeded: 3 }).evicted());
    expect([run.state, run.status.phase]).toEqual(['Finishing.CleaningUp', 'Completed']);
  });

  it('stops or suspends at once when somebody asks for that', () => {
    expect(evicted(byFile()).stop().state).toBe('Finishing.CleaningUp');
    expect(evicted(byFile()).suspend().state).toBe('Suspended.Draining');
  });
});
