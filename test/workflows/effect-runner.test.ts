import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { CLEAN_UP, CREATE, DRAIN, EffectStage, HOST_LIST, RESTORE, SUSPEND } from './effect-stage.ts';
import { refusal } from './some-refusal.ts';

const invalid = ApplicationFailure.nonRetryable('spec is invalid', 'ClusterRefused');

let stage: EffectStage;

beforeEach(async () => {
  stage = await EffectStage.open();
});

describe('an effect', () => {
  it('reports the result of its activity', async () => {
    await stage.run(DRAIN);
    const stuckPods = [{ pod: 'resnet-worker-0', node: 'node-1' }];
    await stage.flow.activity('drain').completes({ resourceVersion: 12, stuckPods });
    expect(stage.received).toEqual([
      { type: 'effectDone', effect: 'drain', resourceVersion: 12, stuckPods, at: stage.flow.now },
    ]);
  });

  it('reports the cause of its failure', async () => {
    await stage.run(DRAIN);
    await stage.flow.activity('drain').fails(invalid);
    const cause = { reason: 'ClusterRefused', message: 'spec is invalid' };
    expect(stage.received).toEqual([{ type: 'effectFailed', effect: 'drain', cause, at: stage.flow.now }]);
  });

  it('reports an unknown failure as an engine fault', async () => {
    await stage.run(DRAIN);
    await stage.flow.activity('drain').fails(new TypeError('undefined is not a function'));
    expect(stage.received).toMatchObject([
      { cause: { reason: 'EngineFault', message: 'undefined is not a function' } },
    ]);
  });

  it('reports which pod holds a taken name', async () => {
    await stage.run(CREATE);
    const where = { pod: 'resnet-worker-0', node: 'node-1' };
    await stage.flow
      .activity('createAttempt')
      .fails(ApplicationFailure.nonRetryable('taken', 'NameTaken', where));
    expect(stage.received).toMatchObject([{ cause: { ...where, reason: 'NameTaken', message: 'taken' } }]);
  });

  it('keeps the runner busy until its end', async () => {
    expect(stage.runner.isIdle()).toBe(true);
    await stage.run(DRAIN);
    expect(stage.runner.isIdle()).toBe(false);
    await stage.flow.activity('drain').completes({ resourceVersion: 12 });
    expect(stage.runner.isIdle()).toBe(true);
  });
});

describe('a replaced effect', () => {
  it('is cancelled, and awaited before the new one starts', async () => {
    await stage.run(CREATE);
    await stage.run(RESTORE);
    expect(stage.inProgress).toEqual(['createAttempt']);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(stage.inProgress).toEqual(['restorePods']);
  });

  const ends: Record<string, () => Promise<void>> = {
    'was cancelled': () => stage.flow.activity('createAttempt').confirmsCancellation(),
    'completed before it noticed': () =>
      stage.flow.activity('createAttempt').completes({ resourceVersion: 10 }),
    'failed before it noticed': () => stage.flow.activity('createAttempt').fails(invalid),
    'was refused before it noticed': () => stage.flow.activity('createAttempt').fails(refusal()),
    'died with its worker': () =>
      stage.flow.activity('createAttempt').fails(new Error('lost'), 'CANCEL_REQUESTED'),
  };

  it.each(Object.entries(ends))('is not reported if it %s', async (_, end) => {
    await stage.run(CREATE);
    await stage.run(RESTORE);
    await end();
    await stage.flow.passes(60_000);
    expect(stage.inProgress).toEqual(['restorePods']);
    await stage.flow.activity('restorePods').completes({ resourceVersion: 12 });
    expect(stage.answers).toEqual(['effectDone restorePods']);
  });

  it('never starts if it was still waiting for another', async () => {
    await stage.run(CREATE);
    await stage.run(RESTORE);
    await stage.run(DRAIN);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(stage.inProgress).toEqual(['drain']);
    expect(stage.flow.commands.filter((kind) => kind === 'scheduleActivity')).toHaveLength(2);
  });
});

describe('a host list', () => {
  it('is published beside other effects', async () => {
    await stage.run(CREATE, HOST_LIST);
    expect(stage.inProgress).toEqual(['createAttempt', 'publishHostList']);
    await stage.run(RESTORE);
    expect(stage.cancelled).toEqual(['createAttempt']);
  });

  it('replaces an older one', async () => {
    await stage.run(CREATE, HOST_LIST);
    await stage.run(HOST_LIST);
    expect(stage.flow.activity('createAttempt').isCancelled).toBe(false);
    await stage.flow.activity('publishHostList').completes({ resourceVersion: 0 });
    expect(stage.received).toEqual([]);
    await stage.flow.activity('publishHostList').completes({ resourceVersion: 0 });
    expect(stage.answers).toEqual(['effectDone publishHostList']);
  });
});

describe('the removal of pods', () => {
  it.each([SUSPEND, CLEAN_UP, DRAIN])(
    'waits until the host list is no longer published: $type',
    async (removal) => {
      await stage.run(HOST_LIST);
      await stage.run(removal);
      expect(stage.inProgress).toEqual(['publishHostList']);
      expect(stage.flow.activity('publishHostList').isCancelled).toBe(true);
      await stage.flow.activity('publishHostList').completes({ resourceVersion: 0 });
      expect(stage.inProgress).toEqual([removal.type]);
      expect(stage.received).toEqual([]);
    },
  );

  it('waits for pods and host list, whichever ends later', async () => {
    await stage.run(CREATE, HOST_LIST);
    await stage.run(SUSPEND);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(stage.inProgress).toEqual(['publishHostList']);
    await stage.flow.activity('publishHostList').confirmsCancellation();
    expect(stage.inProgress).toEqual(['suspend']);
  });
});
