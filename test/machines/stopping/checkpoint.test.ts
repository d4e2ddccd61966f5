import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { aLifeWithEvidence } from '../life.ts';
import { type ALife, allPlaced, allReady, oneFailed, running, startsAgain, threePods, withLadder } from '../three-pods.ts'; // biome-ignore format: one line

const byFile = (plan: PlanBuilder = threePods()) =>
  plan.policy({ checkpoint: { file: '/signalbox/checkpoint', withinMs: 600_000 } });
const bySignal = () => threePods().policy({ checkpoint: { signal: 'SIGTERM', withinMs: 90_500 } });
const stopped = (life: ALife) => life.stop('stopped by ana', { checkpoint: true });
const CLEAN_UP = [{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }];

describe('a stop that asks for a checkpoint by a file', () => {
  const asked = () => stopped(running(byFile()));

  it('asks for it, and waits', () => {
    const life = asked();
    expect([life.state, life.effects, life.secondsTo('checkpoint')]).toEqual([
      'Finishing.Checkpointing',
      [{ type: 'requestCheckpoint', attempt: 1 }],
      600,
    ]);
    expect(life.lastWord).toBe('stopped by ana; waiting for a checkpoint until 2026-01-01T00:10:03Z');
    expect(life.does('requestCheckpoint').effects).toEqual([]);
    expect(life.hears(allReady(11)).state).toBe('Finishing.Checkpointing');
  });

  type Way = readonly [says: string, tells: string, go: (life: ALife) => ALife];
  const ended = 'its pods ended before a checkpoint was acknowledged';
  const ways: readonly Way[] = [
    ['it is written', 'a checkpoint was acknowledged', (life) => life.hears(allReady(11).acknowledged())],
    ['its time is over', 'no checkpoint was acknowledged within 600s', (life) => life.reaches('checkpoint')],
    ['somebody stops it again', 'the wait for a checkpoint was cut short: at once, ben', (life) => life.stop('at once, ben')], // biome-ignore format: one line
    ['nobody is left who could write it', ended, (life) => life.hears(aDigest(11).master({ succeeded: 1 }).workers({ failed: 2 }))], // biome-ignore format: one line
    ['all pods are gone', ended, (life) => life.hears(aDigest(11).attempt(0))],
    ['its anchor is deleted', 'its anchor was deleted before a checkpoint was acknowledged', (life) => life.hears(aDigest(11).withoutAnchor())], // biome-ignore format: one line
    ['it cannot be asked', 'the checkpoint could not be requested: no', (life) => life.failsTo('requestCheckpoint', { reason: 'ClusterRefused', message: 'no' })], // biome-ignore format: one line
  ];
  it.each(ways)('stops when %s, and says so', (_, tells, go) => {
    const life = go(asked());
    expect([life.state, life.effects, life.deadlines]).toEqual(['Finishing.CleaningUp', CLEAN_UP, {}]);
    expect(life.does('cleanUp').status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StopRequested', message: `stopped by ana; ${tells}` },
    });
  });

  const others: readonly [says: string, go: (life: ALife) => ALife][] = [
    ['an old word', (life) => life.hears(allReady(9).acknowledged())],
    ['a word of another attempt', (life) => life.hears(allReady(11, 2).acknowledged())],
    ['a failed pod', (life) => life.hears(oneFailed(11))],
    ['a suspension', (life) => life.suspend()],
    ['a change of its rules', (life) => life.amend(threePods())],
    ['one who asks for the same again', stopped],
  ];
  it.each(others)('is not hurried by %s', (_, go) => {
    const life = go(asked());
    expect([life.state, life.effects]).toEqual(['Finishing.Checkpointing', []]);
  });

  it('runs while it writes', () => {
    expect(asked().conditions).toEqual(['Created=True', 'Running=True']);
  });

  it('goes on waiting in a new run of the workflow', () => {
    const life = asked().continueAsNew();
    expect(life.secondsTo('checkpoint')).toBe(600);
    expect(life.hears(allReady(11).acknowledged()).effects).toEqual(CLEAN_UP);
  });

  it('in a later attempt asks that one', () => {
    const life = running(byFile(withLadder({ scope: 'gang' })))
      .hears(oneFailed(11))
      .captures();
    expect(stopped(startsAgain(life, 30)).effects).toEqual([{ type: 'requestCheckpoint', attempt: 2 }]);
  });
});

describe('a stop that has nobody to ask for a checkpoint', () => {
  const nobody: readonly [says: string, life: () => ALife][] = [
    ['before there are pods', () => aLifeWithEvidence(byFile())],
    ['before anybody has seen them', () => aLifeWithEvidence(byFile()).does('createAttempt', 10)],
    ['before they have a node', () => running(byFile()).hears(aDigest(11).master({ unscheduled: 1 }).workers({ unscheduled: 2 }))], // biome-ignore format: one line
    ['when all have failed', () => running(byFile()).hears(aDigest(11).master({ failed: 1 }).workers({ failed: 2 }).failure())], // biome-ignore format: one line
    ['while it is suspended', () => running(byFile()).suspend().does('suspend')],
  ];
  it.each(nobody)('does not wait: %s', (_, arrive) => {
    const life = stopped(arrive());
    expect(life.effects).toMatchObject([{ type: 'cleanUp', outcome: 'Stopped' }]);
    expect(life.lastWord).toBe(
      'stopped by ana; no running pod was known that could have written a checkpoint',
    );
  });

  it('waits for those that run, though others do not', () => {
    expect(stopped(running(byFile()).hears(allPlaced(11))).state).toBe('Finishing.Checkpointing');
    expect(stopped(running(byFile()).hears(oneFailed(11))).state).toBe('Finishing.Checkpointing');
  });
});

describe('a stop that asks for a checkpoint by a signal', () => {
  it('gives the pods all of its time to end', () => {
    const life = stopped(running(bySignal()));
    expect([life.state, life.effects]).toEqual([
      'Finishing.CleaningUp',
      [{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything', graceSeconds: 91 }],
    ]);
  });

  /** Their node does not answer. */
  const waitsInVain = (life: ALife) => {
    const left = [{ pod: 'resnet-worker-1', node: 'gpu-7' }];
    life.does('cleanUp', { left });
    while (life.state === 'Finishing.CleaningUp') life.reaches('look').does('cleanUp', { left });
    return life;
  };

  type End = readonly [says: string, tells: string, go: (life: ALife) => ALife];
  const ends: readonly End[] = [
    ['in time', 'its pods ended within 6s of SIGTERM', (life) => life.rests(5).does('cleanUp')],
    ['too late', 'its pods were not seen to end within 90.5s of SIGTERM; those still running were killed', (life) => life.rests(91).does('cleanUp')], // biome-ignore format: one line
    [
      'nobody knows when',
      'it is not known whether its pods ended after SIGTERM',
      (life) => waitsInVain(life),
    ],
  ];
  it.each(ends)('tells of pods that end %s', (_, tells, go) => {
    const life = stopped(running(bySignal()));
    expect(life.lastWord).toBe('stopped by ana; its pods receive SIGTERM and have 90.5s to end');
    expect(go(life.continueAsNew()).status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StopRequested', message: `stopped by ana; ${tells}` },
    });
  });

  it('has nobody to send it to before there are pods', () => {
    const life = stopped(aLifeWithEvidence(bySignal())).does('cleanUp');
    expect(life.status.cause?.message).toBe(
      'stopped by ana; no running pod was known that could have written a checkpoint',
    );
  });

  it('does not give it when somebody stops the job again', () => {
    const life = stopped(stopped(running(bySignal())));
    expect(life.effects).toEqual([]);
    life.stop('at once, ben');
    expect([life.state, life.effects, life.lastWord]).toEqual([
      'Finishing.CleaningUp',
      CLEAN_UP,
      'at once, ben',
    ]);
    expect(life.stop('at once, cleo').effects).toEqual([]);
    expect(life.does('cleanUp').status).toMatchObject({
      phase: 'Stopped',
      cause: {
        reason: 'StopRequested',
        message: 'stopped by ana; the wait for a checkpoint was cut short: at once, ben',
      },
    });
  });
});

it('a stop that asks for none waits for none', () => {
  expect(running(byFile()).stop().effects).toEqual(CLEAN_UP);
  expect(running(bySignal()).stop().effects).toEqual(CLEAN_UP);
});

it('a job that fails is not asked for one', () => {
  const life = running(byFile(withLadder({ scope: 'pod', times: 0 })))
    .hears(oneFailed(11))
    .captures();
  expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
});
