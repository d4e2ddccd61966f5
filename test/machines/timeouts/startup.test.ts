import { describe, expect, it } from '@jest/globals';
import { startUpTrouble } from '../../../machines/timeouts/startup.ts';
import { aDigest, type DigestBuilder, type PlanBuilder, someEvidence } from '../builders.ts';
import { aLifeWithEvidence } from '../life.ts';
import { allPlaced, allReady, oneFailed, startsAgain, threePods, withLadder } from '../three-pods.ts';

const MINUTE = 60_000;
const impatient = (plan: PlanBuilder = threePods()) =>
  plan.policy({ failures: { startUpAfterMs: 5 * MINUTE } });
const waiting = (digest: DigestBuilder, reason = 'ImagePullBackOff') =>
  digest.waiting({ reason, message: 'no such image', pod: 'resnet-worker-0', pods: 2 });
const pulling = (plan = impatient()) =>
  aLifeWithEvidence(plan)
    .does('createAttempt', 10)
    .hears(waiting(allPlaced(10)));

describe('pods have failed to start', () => {
  it.each([
    ['ImagePullBackOff', true],
    ['ErrImagePull', true],
    ['CreateContainerConfigError', true],
    ['ContainerCreating', true],
    ['Unschedulable', true],
    ['ContainersNotReady', false],
    ['CrashLoopBackOff', false],
  ])('when they waited for %s: %s', (reason, failed) => {
    const context = impatient().context(waiting(aDigest(), reason));
    expect(startUpTrouble(context) !== undefined).toBe(failed);
  });

  it('says what they wait for, and what the limit is', () => {
    expect(startUpTrouble(impatient().context(waiting(aDigest())))).toEqual({
      class: 'startUp',
      reason: 'StartUpFailed',
      message:
        '2 wait with ImagePullBackOff (resnet-worker-0: no such image); signalbox.dev/policy failures.classes.startUp.after: 300s',
      rule: 'signalbox.dev/policy failures.classes.startUp.after: 300s',
      pod: 'resnet-worker-0',
      least: 'gang',
    });
  });

  it('never without a limit, or while nothing waits', () => {
    expect(startUpTrouble(threePods().context(waiting(aDigest())))).toBeUndefined();
    expect(startUpTrouble(impatient().context(aDigest()))).toBeUndefined();
  });
});

describe('a job whose pods do not start', () => {
  it('has its time from when its objects exist', () => {
    const life = aLifeWithEvidence(impatient());
    expect(life.secondsTo('startUp')).toBeUndefined();
    expect(life.does('createAttempt', 10).secondsTo('startUp')).toBe(300);
  });

  it('says of each pod what kept it from its start', () => {
    const unknown = { exitCode: undefined, reason: undefined, message: undefined };
    const evidence = [someEvidence({ pod: 'resnet-worker-0', ...unknown })];
    const life = pulling().reaches('startUp').does('capture', { evidence });
    expect(life.status.evidence).toMatchObject([
      {
        pod: 'resnet-worker-0',
        reason: 'StartUpFailed',
        message: expect.stringContaining('no such image'),
      },
    ]);
  });

  it('starts again as a gang, with evidence taken first, whatever its ladder has', () => {
    const life = pulling().reaches('startUp');
    expect(life.effects).toEqual([{ type: 'capture', attempt: 1 }]);
    expect(life.lastWord).toContain('2 wait with ImagePullBackOff');
    expect(life.captures().effects).toEqual([{ type: 'drain', attempt: 1 }]);
    life.does('drain').does('createAttempt', 20);
    expect([life.context.trouble, life.secondsTo('startUp')]).toEqual([undefined, 300]);
  });

  it('can have a pod replaced afterwards as before', () => {
    const life = startsAgain(pulling().reaches('startUp').captures(), 20).hears(oneFailed(21, {}, 2));
    expect(life.captures().reaches('backOff').effects).toMatchObject([{ type: 'restorePods' }]);
  });

  it('fails when that class is final', () => {
    const plan = impatient().policy({ failures: { classes: { startUp: { final: true } } } });
    const life = pulling(plan).reaches('startUp').captures();
    expect(life.effects).toMatchObject([{ type: 'cleanUp', scope: 'Running' }]);
    expect(life.status).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'StartUpFailed', rule: 'signalbox.dev/policy failures.classes.startUp.final: true' },
    });
  });

  it('fails when its budget is used up', () => {
    const plan = impatient().policy({ failures: { classes: { startUp: { budget: 1 } } } });
    const life = pulling(plan).reaches('startUp').captures().does('drain').does('createAttempt', 20);
    life
      .hears(waiting(allPlaced(20, 2)))
      .reaches('startUp')
      .captures();
    expect(life.status.cause).toMatchObject({
      reason: 'FailureBudgetExceeded',
      rule: 'signalbox.dev/policy failures.classes.startUp.budget: 1',
    });
    expect(life.effects).toMatchObject([{ type: 'cleanUp', scope: 'Running' }]);
  });

  it('uses its ladder up, however long each try takes', () => {
    const plan = impatient(withLadder({ scope: 'gang', times: 1 })).policy({ failures: { startUpAfterMs: 20 * MINUTE } }); // biome-ignore format: one line
    const life = pulling(plan).reaches('startUp').captures().does('drain').does('createAttempt', 20);
    life
      .hears(waiting(allPlaced(20, 2)))
      .reaches('startUp')
      .captures();
    expect(life.status.cause?.reason).toBe('RestartsExhausted');
  });

  it('is counted by backoffLimit, which says what was wrong', () => {
    const life = pulling(impatient(threePods().backoffLimit(0)))
      .reaches('startUp')
      .captures();
    expect(life.status.cause?.reason).toBe('BackoffLimitExceeded');
    expect(life.status.cause?.message).toContain('2 wait with ImagePullBackOff');
  });
});

describe('the time to start', () => {
  it('ends when the job runs', () => {
    expect(pulling().hears(allReady(11)).secondsTo('startUp')).toBeUndefined();
  });

  it('begins again when a pod was replaced', () => {
    const life = pulling().hears(allReady(11)).hears(oneFailed(12)).captures().does('restorePods', 20);
    expect(life.secondsTo('startUp')).toBe(300);
  });

  it('is given once more to pods that do not wait for anything of the kind', () => {
    const life = pulling().hears(allPlaced(11)).reaches('startUp');
    expect([life.state, life.effects, life.secondsTo('startUp')]).toEqual(['Starting.Waiting', [], 300]);
  });

  it('is given once more when nobody has seen the pods since', () => {
    const life = pulling()
      .hears(oneFailed(11))
      .captures()
      .hears(waiting(oneFailed(12)));
    life.does('restorePods', 20).reaches('startUp');
    expect([life.state, life.secondsTo('startUp')]).toEqual(['Pending.Scheduling', 300]);
  });

  it('is another one when the policy is changed', () => {
    const life = pulling()
      .rests(198)
      .amend(threePods().policy({ failures: { startUpAfterMs: 3_600_000 } }));
    expect(life.secondsTo('startUp')).toBe(3400);
    expect(life.amend(impatient(threePods())).secondsTo('startUp')).toBe(99);
    expect(life.amend(threePods()).secondsTo('startUp')).toBeUndefined();
    const unscheduled = aLifeWithEvidence(impatient()).does('createAttempt', 10);
    expect([unscheduled.state, unscheduled.amend(threePods()).secondsTo('startUp')]).toEqual([
      'Pending.Scheduling',
      undefined,
    ]);
  });
});
