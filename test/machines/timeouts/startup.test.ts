import { describe, expect, it } from '@jest/globals';
import { startUpTrouble } from '../../../machines/timeouts/startup.ts';
import { aDigest, type DigestBuilder, type PlanBuilder, someEvidence } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import { allPlaced, allReady, oneFailed, startsAgain, threePods, withLadder } from '../three-pods.ts';

const MINUTE = 60_000;
const impatient = (plan: PlanBuilder = threePods()) =>
  plan.policy({ failures: { startUpAfterMs: 5 * MINUTE } });
const waiting = (digest: DigestBuilder, reason = 'ImagePullBackOff') =>
  digest.waiting({ reason, message: 'no such image', pod: 'resnet-worker-0', pods: 2 });
const pulling = (plan = impatient()) =>
  aRunWithEvidence(plan)
    .does('createAttempt', 10)
    .receives(waiting(allPlaced(10)));

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
    const run = aRunWithEvidence(impatient());
    expect(run.secondsTo('startUp')).toBeUndefined();
    expect(run.does('createAttempt', 10).secondsTo('startUp')).toBe(300);
  });

  it('says of each pod what kept it from its start', () => {
    const unknown = { exitCode: undefined, reason: undefined, message: undefined };
    const evidence = [someEvidence({ pod: 'resnet-worker-0', ...unknown })];
    const run = pulling().reaches('startUp').does('capture', { evidence });
    expect(run.status.evidence).toMatchObject([
      {
        pod: 'resnet-worker-0',
        reason: 'StartUpFailed',
        message: expect.stringContaining('no such image'),
      },
    ]);
  });

  it('starts again as a gang, with evidence taken first, whatever its ladder has', () => {
    const run = pulling().reaches('startUp');
    expect(run.effects).toEqual([{ type: 'capture', attempt: 1 }]);
    expect(run.lastCause).toContain('2 wait with ImagePullBackOff');
    expect(run.captures().effects).toEqual([{ type: 'drain', attempt: 1 }]);
    run.does('drain').does('createAttempt', 20);
    expect([run.context.trouble, run.secondsTo('startUp')]).toEqual([undefined, 300]);
  });

  it('can have a pod replaced afterwards as before', () => {
    const run = startsAgain(pulling().reaches('startUp').captures(), 20).receives(oneFailed(21, {}, 2));
    expect(run.captures().reaches('backOff').effects).toMatchObject([{ type: 'restorePods' }]);
  });

  it('fails when that class is final', () => {
    const plan = impatient().policy({ failures: { classes: { startUp: { final: true } } } });
    const run = pulling(plan).reaches('startUp').captures();
    expect(run.effects).toMatchObject([{ type: 'cleanUp', scope: 'Running' }]);
    expect(run.status).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'StartUpFailed', rule: 'signalbox.dev/policy failures.classes.startUp.final: true' },
    });
  });

  it('fails when its budget is used up', () => {
    const plan = impatient().policy({ failures: { classes: { startUp: { budget: 1 } } } });
    const run = pulling(plan).reaches('startUp').captures().does('drain').does('createAttempt', 20);
    run
      .receives(waiting(allPlaced(20, 2)))
      .reaches('startUp')
      .captures();
    expect(run.status.cause).toMatchObject({
      reason: 'FailureBudgetExceeded',
      rule: 'signalbox.dev/policy failures.classes.startUp.budget: 1',
    });
    expect(run.effects).toMatchObject([{ type: 'cleanUp', scope: 'Running' }]);
  });

  it('uses its ladder up, however long each try takes', () => {
    const plan = impatient(withLadder({ scope: 'gang', times: 1 })).policy({ failures: { startUpAfterMs: 20 * MINUTE } }); // biome-ignore format: one line
    const run = pulling(plan).reaches('startUp').captures().does('drain').does('createAttempt', 20);
    run
      .receives(waiting(allPlaced(20, 2)))
      .reaches('startUp')
      .captures();
    expect(run.status.cause?.reason).toBe('RestartsExhausted');
  });

  it('is counted by backoffLimit, which says what was wrong', () => {
    const run = pulling(impatient(threePods().backoffLimit(0)))
      .reaches('startUp')
      .captures();
    expect(run.status.cause?.reason).toBe('BackoffLimitExceeded');
    expect(run.status.cause?.message).toContain('2 wait with ImagePullBackOff');
  });
});

describe('the time to start', () => {
  it('ends when the job runs', () => {
    expect(pulling().receives(allReady(11)).secondsTo('startUp')).toBeUndefined();
  });

  it('begins again when a pod was replaced', () => {
    const run = pulling().receives(allReady(11)).receives(oneFailed(12)).captures().does('restorePods', 20);
    expect(run.secondsTo('startUp')).toBe(300);
  });

  it('is given once more to pods that do not wait for anything of the kind', () => {
    const run = pulling().receives(allPlaced(11)).reaches('startUp');
    expect([run.state, run.effects, run.secondsTo('startUp')]).toEqual(['Starting.Waiting', [], 300]);
  });

  it('is given once more when nobody has seen the pods since', () => {
    const run = pulling()
      .receives(oneFailed(11))
      .captures()
      .receives(waiting(oneFailed(12)));
    run.does('restorePods', 20).reaches('startUp');
    expect([run.state, run.secondsTo('startUp')]).toEqual(['Pending.Scheduling', 300]);
  });

  it('is another one when the policy is changed', () => {
    const run = pulling()
      .waits(198)
      .amend(threePods().policy({ failures: { startUpAfterMs: 3_600_000 } }));
    expect(run.secondsTo('startUp')).toBe(3400);
    expect(run.amend(impatient(threePods())).secondsTo('startUp')).toBe(99);
    expect(run.amend(threePods()).secondsTo('startUp')).toBeUndefined();
    const unscheduled = aRunWithEvidence(impatient()).does('createAttempt', 10);
    expect([unscheduled.state, unscheduled.amend(threePods()).secondsTo('startUp')]).toEqual([
      'Pending.Scheduling',
      undefined,
    ]);
  });
});
