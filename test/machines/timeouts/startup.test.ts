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

describe('pods that do not start', () => {
  it.each([
    ['ImagePullBackOff', true],
    ['ErrImagePull', true],
    ['CreateContainerConfigError', true],
    ['ContainerCreating', true],
    ['Unschedulable', true],
    ['ContainersNotReady', false],
    ['CrashLoopBackOff', false],
  ])('have failed after a wait for %s: %s', (reason, failed) => {
    const context = impatient().context(waiting(aDigest(), reason));
    expect(startUpTrouble(context) !== undefined).toBe(failed);
  });

  it('have failed with a message about what they wait for, and the limit', () => {
    expect(startUpTrouble(impatient().context(waiting(aDigest())))).toEqual({
      class: 'startUp',
      reason: 'StartUpFailed',
      message:
        '2 wait with ImagePullBackOff (resnet-worker-0: no such image); signalbox.dev/policy failures.classes.startUp.after: 300s',
      rule: 'signalbox.dev/policy failures.classes.startUp.after: 300s',
      pod: 'resnet-worker-0',
      podReason: 'ImagePullBackOff',
      least: 'gang',
    });
  });

  it('have not failed without a limit, or while no pod waits', () => {
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

  it('names the cause for each pod', () => {
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

  it('restarts as a gang, with evidence taken first, whatever its ladder has', () => {
    const run = pulling().reaches('startUp');
    expect(run.effects).toEqual([{ type: 'capture', attempt: 1 }]);
    expect(run.lastCause).toContain('2 wait with ImagePullBackOff');
    expect(run.captures().effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
    run.does('drain').does('createAttempt', 20);
    expect([run.context.trouble, run.secondsTo('startUp')]).toEqual([undefined, 300]);
  });

  it('can later have a pod replaced as before', () => {
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

  it('uses up its ladder, however long each try takes', () => {
    const plan = impatient(withLadder({ scope: 'gang', times: 1 })).policy({ failures: { startUpAfterMs: 20 * MINUTE } }); // biome-ignore format: one line
    const run = pulling(plan).reaches('startUp').captures().does('drain').does('createAttempt', 20);
    run
      .receives(waiting(allPlaced(20, 2)))
      .reaches('startUp')
      .captures();
    expect(run.status.cause?.reason).toBe('RestartsExhausted');
  });

  it('is counted by backoffLimit, with the cause in the message', () => {
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

  it('starts again when a pod was replaced', () => {
    const run = pulling().receives(allReady(11)).receives(oneFailed(12)).captures().does('restorePods', 20);
    expect(run.secondsTo('startUp')).toBe(300);
  });

  it('starts again for pods that wait for something else', () => {
    const run = pulling().receives(allPlaced(11)).reaches('startUp');
    expect([run.state, run.effects, run.secondsTo('startUp')]).toEqual(['Starting.Waiting', [], 300]);
  });

  it('starts again when no digest has arrived since', () => {
    const run = pulling()
      .receives(oneFailed(11))
      .captures()
      .receives(waiting(oneFailed(12)));
    run.does('restorePods', 20).reaches('startUp');
    expect([run.state, run.secondsTo('startUp')]).toEqual(['Pending.Scheduling', 300]);
  });

  it('changes with the policy', () => {
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
