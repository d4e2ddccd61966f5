import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import { allPlaced, allReady, oneFailed, type RunningMachine, running, startsAgain, threePods, withLadder } from '../three-pods.ts'; // biome-ignore format: one line

const byFile = (plan: PlanBuilder = threePods()) =>
  plan.policy({ checkpoint: { file: '/signalbox/checkpoint', withinMs: 600_000 } });
const bySignal = () => threePods().policy({ checkpoint: { signal: 'SIGTERM', withinMs: 90_500 } });
const stopped = (run: RunningMachine) => run.stop('stopped by ana', { checkpoint: true });
const CLEAN_UP = [{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }];

describe('a stop that requests a checkpoint by a file', () => {
  const asked = () => stopped(running(byFile()));

  it('writes the request, and waits', () => {
    const run = asked();
    expect([run.state, run.effects, run.secondsTo('checkpoint')]).toEqual([
      'Finishing.Checkpointing',
      [{ type: 'requestCheckpoint', attempt: 1 }],
      600,
    ]);
    expect(run.lastCause).toBe('stopped by ana; waiting for a checkpoint until 2026-01-01T00:10:03Z');
    expect(run.does('requestCheckpoint').effects).toEqual([]);
    expect(run.receives(allReady(11)).state).toBe('Finishing.Checkpointing');
  });

  type Way = readonly [says: string, tells: string, go: (run: RunningMachine) => RunningMachine];
  const ended = 'its pods ended before a checkpoint was acknowledged';
  const ways: readonly Way[] = [
    ['it is written', 'a checkpoint was acknowledged', (run) => run.receives(allReady(11).acknowledged())],
    ['its time is over', 'no checkpoint was acknowledged within 600s', (run) => run.reaches('checkpoint')],
    ['somebody stops it again', 'the wait for a checkpoint was cut short: at once, ben', (run) => run.stop('at once, ben')], // biome-ignore format: one line
    ['nobody is left who could write it', ended, (run) => run.receives(aDigest(11).master({ succeeded: 1 }).workers({ failed: 2 }))], // biome-ignore format: one line
    ['all pods are gone', ended, (run) => run.receives(aDigest(11).attempt(0))],
    ['its anchor is deleted', 'its anchor was deleted before a checkpoint was acknowledged', (run) => run.receives(aDigest(11).withoutAnchor())], // biome-ignore format: one line
    ['it cannot be asked', 'the checkpoint could not be requested: no', (run) => run.failsTo('requestCheckpoint', { reason: 'ClusterRefused', message: 'no' })], // biome-ignore format: one line
  ];
  it.each(ways)('ends the wait when %s, with a message', (_, message, go) => {
    const run = go(asked());
    expect([run.state, run.effects, run.deadlines]).toEqual(['Finishing.CleaningUp', CLEAN_UP, {}]);
    expect(run.does('cleanUp').status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StopRequested', message: `stopped by ana; ${message}` },
    });
  });

  const others: readonly [says: string, go: (run: RunningMachine) => RunningMachine][] = [
    ['an old word', (run) => run.receives(allReady(9).acknowledged())],
    ['a word of another attempt', (run) => run.receives(allReady(11, 2).acknowledged())],
    ['a failed pod', (run) => run.receives(oneFailed(11))],
    ['a suspension', (run) => run.suspend()],
    ['a change of its rules', (run) => run.amend(threePods())],
    ['one who asks for the same again', stopped],
  ];
  it.each(others)('is not ended by %s', (_, go) => {
    const run = go(asked());
    expect([run.state, run.effects]).toEqual(['Finishing.Checkpointing', []]);
  });

  it('keeps the job running while it writes', () => {
    expect(asked().conditions).toEqual(['Created=True', 'Running=True']);
  });

  it('continues to wait in a new run of the workflow', () => {
    const run = asked().continueAsNew();
    expect(run.secondsTo('checkpoint')).toBe(600);
    expect(run.receives(allReady(11).acknowledged()).effects).toEqual(CLEAN_UP);
  });

  it('in a later attempt sends the request to that one', () => {
    const run = running(byFile(withLadder({ scope: 'gang' })))
      .receives(oneFailed(11))
      .captures();
    expect(stopped(startsAgain(run, 30)).effects).toEqual([{ type: 'requestCheckpoint', attempt: 2 }]);
  });
});

describe('a stop with no pod that could write a checkpoint', () => {
  const withoutRecipient: readonly [says: string, run: () => RunningMachine][] = [
    ['before there are pods', () => aRunWithEvidence(byFile())],
    ['before anybody has seen them', () => aRunWithEvidence(byFile()).does('createAttempt', 10)],
    ['before they have a node', () => running(byFile()).receives(aDigest(11).master({ unscheduled: 1 }).workers({ unscheduled: 2 }))], // biome-ignore format: one line
    ['when all have failed', () => running(byFile()).receives(aDigest(11).master({ failed: 1 }).workers({ failed: 2 }).failure())], // biome-ignore format: one line
    ['while it is suspended', () => running(byFile()).suspend().does('suspend')],
    [
      'while it is suspended, and the last digest still counts its pods',
      () => running(byFile()).suspend().does('suspend').receives(allReady(11)),
    ],
  ];
  it.each(withoutRecipient)('does not wait: %s', (_, arrive) => {
    const run = stopped(arrive());
    expect(run.effects).toMatchObject([{ type: 'cleanUp', outcome: 'Stopped' }]);
    expect(run.lastCause).toBe(
      'stopped by ana; no running pod was known that could have written a checkpoint',
    );
  });

  it('waits for the running pods, although others do not run', () => {
    expect(stopped(running(byFile()).receives(allPlaced(11))).state).toBe('Finishing.Checkpointing');
    expect(stopped(running(byFile()).receives(oneFailed(11))).state).toBe('Finishing.Checkpointing');
  });
});

describe('a stop that requests a checkpoint by a signal', () => {
  it('gives the pods the whole time of the policy to end', () => {
    const run = stopped(running(bySignal()));
    expect([run.state, run.effects]).toEqual([
      'Finishing.CleaningUp',
      [{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything', graceSeconds: 91 }],
    ]);
  });

  /** Their node does not answer. */
  const waitsInVain = (run: RunningMachine) => {
    const stuckPods = [{ pod: 'resnet-worker-1', node: 'gpu-7' }];
    run.does('cleanUp', { stuckPods });
    while (run.state === 'Finishing.CleaningUp') run.reaches('look').does('cleanUp', { stuckPods });
    return run;
  };

  type End = readonly [says: string, tells: string, go: (run: RunningMachine) => RunningMachine];
  const ends: readonly End[] = [
    ['in time', 'its pods ended within 6s of SIGTERM', (run) => run.waits(5).does('cleanUp')],
    ['too late', 'its pods were not seen to end within 90.5s of SIGTERM; those still running were killed', (run) => run.waits(91).does('cleanUp')], // biome-ignore format: one line
    ['nobody knows when', 'it is not known whether its pods ended after SIGTERM', (run) => waitsInVain(run)],
  ];
  it.each(ends)('reports pods that end %s', (_, message, go) => {
    const run = stopped(running(bySignal()));
    expect(run.lastCause).toBe('stopped by ana; its pods receive SIGTERM and have 90.5s to end');
    expect(go(run.continueAsNew()).status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StopRequested', message: `stopped by ana; ${message}` },
    });
  });

  it('sends nothing before there are pods', () => {
    const run = stopped(aRunWithEvidence(bySignal())).does('cleanUp');
    expect(run.status.cause?.message).toBe(
      'stopped by ana; no running pod was known that could have written a checkpoint',
    );
  });

  it('ends at once when the job is stopped again', () => {
    const run = stopped(stopped(running(bySignal())));
    expect(run.effects).toEqual([]);
    run.stop('at once, ben');
    expect([run.state, run.effects, run.lastCause]).toEqual([
      'Finishing.CleaningUp',
      CLEAN_UP,
      'at once, ben',
    ]);
    expect(run.stop('at once, cleo').effects).toEqual([]);
    expect(run.does('cleanUp').status).toMatchObject({
      phase: 'Stopped',
      cause: {
        reason: 'StopRequested',
        message: 'stopped by ana; the wait for a checkpoint was cut short: at once, ben',
      },
    });
  });
});

it('a stop without a checkpoint does not wait', () => {
  expect(running(byFile()).stop().effects).toEqual(CLEAN_UP);
  expect(running(bySignal()).stop().effects).toEqual(CLEAN_UP);
});

it('a failed job is not asked for a checkpoint', () => {
  const run = running(byFile(withLadder({ scope: 'pod', times: 0 })))
    .receives(oneFailed(11))
    .captures();
  expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
});
