import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from './builders.ts';
import { aLifeWithEvidence } from './life.ts';
import { type ALife, allPlaced, allReady, oneFailed, running, startsAgain, threePods, withLadder } from './three-pods.ts'; // biome-ignore format: one line

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
    expect(life.lastWord).toBe('stopped by ana; a checkpoint is asked for, until 2026-01-01T00:10:03Z');
    expect(life.does('requestCheckpoint').effects).toEqual([]);
    expect(life.hears(allReady(11)).state).toBe('Finishing.Checkpointing');
  });

  const ways: readonly [says: string, go: (life: ALife) => ALife][] = [
    ['it is written', (life) => life.hears(allReady(11).acknowledged())],
    ['its time is over', (life) => life.reaches('checkpoint')],
    ['somebody stops it again', (life) => life.stop('at once, ben')],
    ['nobody is left who could write it', (life) => life.hears(aDigest(11).master({ succeeded: 1 }).workers({ failed: 2 }))], // biome-ignore format: one line
    ['all pods are gone', (life) => life.hears(aDigest(11).attempt(0))],
    ['its anchor is deleted', (life) => life.hears(aDigest(11).withoutAnchor())],
    ['it cannot be asked', (life) => life.failsTo('requestCheckpoint', { reason: 'ClusterRefused', message: 'no' })], // biome-ignore format: one line
  ];
  it.each(ways)('stops when %s', (_, go) => {
    const life = go(asked());
    expect([life.state, life.effects, life.context.deadlines]).toEqual([
      'Finishing.CleaningUp',
      CLEAN_UP,
      {},
    ]);
    expect(life.does('cleanUp').status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StopRequested', message: 'stopped by ana' },
    });
  });

  const others: typeof ways = [
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
    ['before they have a node', () => running(byFile()).hears(aDigest(11).master({ unplaced: 1 }).workers({ unplaced: 2 }))], // biome-ignore format: one line
    ['when all have failed', () => running(byFile()).hears(aDigest(11).master({ failed: 1 }).workers({ failed: 2 }).failure())], // biome-ignore format: one line
    ['while it is suspended', () => running(byFile()).suspend().does('suspend')],
  ];
  it.each(nobody)('does not wait: %s', (_, arrive) => {
    expect(stopped(arrive()).effects).toMatchObject([{ type: 'cleanUp', outcome: 'Stopped' }]);
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
      cause: { reason: 'StopRequested', message: 'stopped by ana' },
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
