import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { CLEAN_UP, CREATE, DRAIN, EffectStage, HOST_LIST, RESTORE, TRY_AGAIN } from './effect-stage.ts';
import { refusal } from './some-refusal.ts';

const invalid = ApplicationFailure.nonRetryable('spec is invalid', 'ClusterRefused');

let stage: EffectStage;

beforeEach(async () => {
  stage = await EffectStage.open();
});

describe('a refused effect', () => {
  beforeEach(async () => {
    await stage.run(DRAIN);
    await stage.flow.activity('drain').fails(refusal());
  });

  it('is reported, and retried after a growing pause', async () => {
    const cause = { reason: 'QuotaExceeded', message: 'exceeded quota' };
    const refused = { type: 'effectRefused', effect: 'drain', cause, isLimited: true, at: stage.flow.now };
    expect(stage.received).toEqual([refused]);
    await stage.flow.passes(1_000);
    await stage.flow.activity('drain').fails(refusal({ isLimited: false }));
    expect(stage.received[1]).toMatchObject({ type: 'effectRefused', isLimited: false, at: stage.flow.now });
    await stage.flow.passes(1_999);
    expect(stage.inProgress).toEqual([]);
    await stage.flow.passes(1);
    await stage.flow.activity('drain').completes({ resourceVersion: 12 });
    expect(stage.answers.at(-1)).toEqual('effectDone drain');
  });

  it('counts as idle while it waits', async () => {
    expect(stage.runner.isIdle()).toBe(true);
    await stage.flow.passes(1_000);
    expect(stage.runner.isIdle()).toBe(false);
  });

  it('is retried at once on request', async () => {
    await stage.run(TRY_AGAIN);
    expect(stage.inProgress).toEqual(['drain']);
    expect(stage.flow.timers).toEqual([]);
  });

  it('waits again if it is refused after that', async () => {
    await stage.run(TRY_AGAIN);
    await stage.flow.activity('drain').fails(refusal());
    expect(stage.inProgress).toEqual([]);
    await stage.flow.passes(2_000);
    expect(stage.inProgress).toEqual(['drain']);
  });

  it('is replaced without delay', async () => {
    await stage.run(CLEAN_UP);
    expect(stage.inProgress).toEqual(['cleanUp']);
    expect(stage.flow.timers).toEqual([]);
  });

  it('is retried for the revision that it was decided for', async () => {
    const { revision } = stage.admission;
    stage.admission = { ...stage.admission, revision: { ...revision, number: 2, sha256: 'hash-2' } };
    await stage.run(TRY_AGAIN);
    expect(stage.flow.activity('drain').request).toMatchObject({ job: { number: 1, sha256: 'hash-1' } });
  });
});

describe('a retry on request', () => {
  it('leaves other effects alone', async () => {
    await stage.run(CREATE, HOST_LIST);
    await stage.run(TRY_AGAIN);
    expect(stage.cancelled).toEqual([]);
    await stage.flow.activity('createAttempt').fails(refusal());
    expect(stage.inProgress).toEqual(['publishHostList']);
  });
});

describe('interrupting the runner', () => {
  it('returns the effects in progress after all of them have ended', async () => {
    await stage.run(CREATE, HOST_LIST);
    const interruption = await stage.flow.starts(() => stage.runner.interrupt());
    expect(stage.cancelled).toEqual(['createAttempt', 'publishHostList']);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(interruption.isOver).toBe(false);
    await stage.flow.activity('publishHostList').confirmsCancellation();
    expect(interruption.result).toEqual([CREATE, HOST_LIST]);
    expect(stage.received).toEqual([]);
    expect(stage.runner.isIdle()).toBe(true);
  });

  it('reports an effect that completes anyway, and does not return it', async () => {
    await stage.run(CREATE, HOST_LIST);
    const interruption = await stage.flow.starts(() => stage.runner.interrupt());
    await stage.flow.activity('createAttempt').completes({ resourceVersion: 10 });
    await stage.flow.activity('publishHostList').confirmsCancellation();
    expect(stage.answers).toEqual(['effectDone createAttempt']);
    expect(interruption.result).toEqual([HOST_LIST]);
  });

  it('reports an effect that fails anyway', async () => {
    await stage.run(CREATE);
    const interruption = await stage.flow.starts(() => stage.runner.interrupt());
    await stage.flow.activity('createAttempt').fails(invalid);
    expect(stage.answers).toEqual(['effectFailed createAttempt']);
    expect(interruption.result).toEqual([]);
  });

  it('returns a refused effect, and does not report it again', async () => {
    await stage.run(CREATE);
    await stage.flow.activity('createAttempt').fails(refusal());
    const interruption = await stage.flow.starts(() => stage.runner.interrupt());
    expect(interruption.result).toEqual([CREATE]);
    expect(stage.flow.timers).toEqual([]);
    expect(stage.answers).toEqual(['effectRefused createAttempt']);
  });

  it('returns an effect that has not started yet', async () => {
    await stage.run(CREATE);
    await stage.run(RESTORE);
    const interruption = await stage.flow.starts(() => stage.runner.interrupt());
    await stage.flow.activity('createAttempt').completes({ resourceVersion: 10 });
    expect(interruption.result).toEqual([RESTORE]);
    expect(stage.inProgress).toEqual([]);
    expect(stage.received).toEqual([]);
  });

  it('leaves the runner usable', async () => {
    await stage.run(CREATE);
    const interruption = await stage.flow.starts(() => stage.runner.interrupt());
    await stage.flow.activity('createAttempt').confirmsCancellation();
    await stage.run(...interruption.result!);
    await stage.flow.activity('createAttempt').completes({ resourceVersion: 10 });
    expect(stage.answers).toEqual(['effectDone createAttempt']);
  });
});
