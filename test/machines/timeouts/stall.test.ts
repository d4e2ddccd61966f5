import { describe, expect, it } from '@jest/globals';
import { stallsAt, stallTrouble } from '../../../machines/timeouts/stall.ts';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { START } from '../machine-run.ts';
import { allReady, oneFailed, running, startsAgain, threePods, withLadder } from '../three-pods.ts';

const watched = (plan: PlanBuilder = threePods(), stalledAfterMs = 60_000) =>
  plan.policy({ progress: { log: 'step=(\\d+)', stalledAfterMs } });
const says = (revision: number, step: number, attempt = 1) =>
  allReady(revision, attempt).lastReportAt(step).progress(`step=${step}`, step);

describe('the stall of a job', () => {
  const progress = { value: 'step=7', count: 7, at: START };

  it('is due after the limit, counted from the last progress or from when the watcher began to follow the log', () => {
    const context = { ...watched().context(), silentSince: 5 };
    expect(stallsAt(context)).toBe(60_005);
    expect(stallsAt({ ...context, progress })).toBe(60_005);
    expect(stallsAt({ ...context, followedSince: 7 })).toBe(60_007);
    expect(stallsAt({ ...context, followedSince: 3 })).toBe(60_005);
  });

  it('is never due without a limit, or before the job has run', () => {
    expect(stallsAt(watched().context())).toBeUndefined();
    expect(stallsAt({ ...threePods().context(), silentSince: 5 })).toBeUndefined();
    const unlimited = threePods().policy({ progress: { log: 'step' } });
    expect(stallsAt({ ...unlimited.context(), silentSince: 5 })).toBeUndefined();
  });

  it('has a message with the last progress', () => {
    expect(stallTrouble({ ...watched().context(), progress })).toMatchObject({
      class: 'stalled',
      reason: 'Stalled',
      message:
        'no progress since 2026-01-01T00:00:00Z, when it was step=7; signalbox.dev/policy progress.stalledAfter: 60s',
      least: 'gang',
    });
    expect(stallTrouble(watched().context()).message).toContain('no progress since it started running');
  });

  it.each([
    [
      0,
      'no progress since it started running; its log has no line yet: what a program writes without a line end',
    ],
    [1, 'no progress since it started running; 1 line of its log was read, and none matched progress.log'],
    [
      12,
      'no progress since it started running; 12 lines of its log were read, and none matched progress.log',
    ],
  ])('has a message with the %i lines that were read and did not match', (linesRead, words) => {
    const digest = aDigest().answers({ silentMs: 60_000, linesRead });
    expect(stallTrouble(watched().context(digest)).message).toContain(words);
  });

  it('names the pod that was awaited, and its node', () => {
    const silentPod = { pod: 'resnet-master-0', node: 'gpu-7' };
    const digest = aDigest().answers({ silentMs: 60_000, silentPod });
    expect(stallTrouble(watched().context(digest))).toMatchObject(silentPod);
  });
});

describe('a job without progress', () => {
  it('restarts as a gang, with evidence taken first, whatever its ladder has', () => {
    const run = running(watched());
    expect(run.secondsTo('stall')).toBe(60);
    expect(run.reaches('stall').effects).toEqual([{ type: 'capture', attempt: 1 }]);
    expect(run.captures().effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
    startsAgain(run, 20);
    expect([run.state, run.secondsTo('stall')]).toEqual(['Running', 60]);
    expect(run.status).toMatchObject({ attempt: 2, restarts: 1 });
  });

  it('continues as long as it reports progress', () => {
    const run = running(watched()).waits(40).receives(says(11, 1)).waits(10);
    run.reaches('stall');
    expect([run.state, run.effects, run.secondsTo('stall')]).toEqual(['Running', [], 41]);
    expect(run.reaches('stall').state).toBe('Restarting.Capturing');
  });

  it('counts from its last report, and not from the digest that brought it', () => {
    const run = running(watched())
      .waits(40)
      .receives(says(11, 1, 1).reportedBefore(15))
      .waits(10);
    run.reaches('stall');
    expect([run.state, run.secondsTo('stall')]).toEqual(['Running', 26]);
    run.reaches('stall');
    expect(run.context.trouble?.message).toContain('since 2026-01-01T00:00:28Z, when it was step=1');
  });

  it('keeps the time of a report that later digests repeat', () => {
    const run = running(watched()).receives(says(11, 1).reportedBefore(5)).waits(30);
    const { progress } = run.context;
    expect(run.receives(says(12, 1).reportedBefore(35)).context.progress).toEqual(progress);
  });

  it('also reports progress by the same value again', () => {
    const run = running(watched()).receives(says(11, 1)).waits(50);
    run.receives(allReady(11).lastReportAt(2).progress('step=1', 2)).reaches('stall');
    expect(run.state).toBe('Running');
  });

  it('does not report progress when the watcher repeats the last report', () => {
    const run = running(watched())
      .receives(says(11, 1))
      .waits(50)
      .receives(allReady(12).progress('step=1', 1));
    run.reaches('stall').reaches('stall');
    expect(run.state).toBe('Restarting.Capturing');
  });

  it('has its stall timer only while it runs', () => {
    const run = running(watched()).receives(
      aDigest(11).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }),
    );
    expect([run.state, run.secondsTo('stall')]).toEqual(['Starting.Waiting', undefined]);
    expect(run.receives(allReady(12)).secondsTo('stall')).toBe(60);
    expect(run.suspend().secondsTo('stall')).toBeUndefined();
  });

  it('does not use progress of the attempt before', () => {
    const run = running(watched()).receives(says(11, 9)).reaches('stall').reaches('stall');
    startsAgain(run.captures(), 20);
    expect([run.status.progress, run.context.trouble]).toEqual([undefined, undefined]);
    expect(run.receives(says(21, 10)).status.progress).toBeUndefined();
  });

  it('can later have a pod replaced as before', () => {
    const run = startsAgain(running(watched()).reaches('stall').captures(), 20);
    expect(
      run
        .receives(oneFailed(21, {}, 2))
        .captures()
        .reaches('backOff').effects,
    ).toMatchObject([{ type: 'restorePods' }]);
  });

  it('has its failure in its conditions', () => {
    const run = running(watched()).reaches('stall');
    expect(run.status.conditions.at(-1)).toMatchObject({
      type: 'Restarting',
      status: 'True',
      message: expect.stringContaining('no progress since it started running'),
    });
  });
});

describe('silence that was not observed', () => {
  const silentFor = (seconds: number) => allReady(11).answers({ silentMs: seconds * 1000 });

  it('is no stall: the watcher has just begun to follow the log', () => {
    const run = running(watched()).receives(silentFor(20)).reaches('stall');
    expect([run.state, run.secondsTo('stall'), run.effects]).toEqual(['Running', 40, []]);
    run.receives(allReady(12).answers({ silentMs: 60_000 })).reaches('stall');
    expect(run.state).toBe('Restarting.Capturing');
  });

  it('is no stall when the log cannot be read, which the status says', () => {
    const run = running(watched()).receives(
      allReady(11).answers({ progressFault: 'its log may not be read' }),
    );
    run.reaches('stall').reaches('stall');
    expect([run.state, run.secondsTo('stall')]).toEqual(['Running', 60]);
    expect(run.status.warnings).toEqual([
      'progress cannot be read: its log may not be read; the job does not count as stalled meanwhile',
    ]);
    expect(run.receives(says(12, 1)).status.warnings).toEqual([]);
  });

  it('is told of a job without a policy, whose log shows that it makes no steps; nothing follows', () => {
    const noSteps = 'no step since 2026-01-01T00:10:00Z, usually one every 3s';
    const run = running(threePods()).receives(allReady(11).noSteps(noSteps));
    expect([run.state, run.effects, run.status.warnings]).toEqual(['Running', [], [noSteps]]);
    // Neither pods nor nodes have changed.
    expect(run.receives(allReady(11)).status.warnings).toEqual([]);
  });

  it('ends with a report that arrives before anything is deleted', () => {
    const run = running(watched()).reaches('stall').receives(says(11, 1)).captures();
    expect([run.state, run.effects, run.secondsTo('stall')]).toEqual(['Running', [], 60]);
    expect(run.status).toMatchObject({ attempt: 1, restarts: 0 });
  });

  it('is a stall when the watcher repeats an old report meanwhile', () => {
    const run = running(watched()).receives(says(11, 1)).reaches('stall').reaches('stall');
    expect(run.receives(allReady(12).progress('step=1', 1)).captures().state).toBe('Restarting.Draining');
  });
});

describe('a stalled job', () => {
  const silentPod = { pod: 'resnet-master-0', node: 'gpu-7' };
  const stallsTwice = (plan: PlanBuilder) => {
    const run = startsAgain(running(plan).reaches('stall').captures(), 20);
    return run.reaches('stall').captures();
  };

  it.each([
    [{ stalled: { final: true } }, 'Stalled'],
    [{ stalled: { budget: 0 } }, 'FailureBudgetExceeded'],
  ] as const)('that ends with %j names the pod that was awaited, and its node', (classes, reason) => {
    const run = running(watched().policy({ failures: { classes } }));
    run.receives(allReady(11).answers({ silentMs: 60_000, silentPod })).reaches('stall');
    expect(run.captures().status.cause).toMatchObject({ reason, ...silentPod });
  });

  it('ends at once when that class is final', () => {
    const plan = watched().policy({ failures: { classes: { stalled: { final: true } } } });
    const run = running(plan).reaches('stall').captures();
    expect(run.status.cause).toMatchObject({ reason: 'Stalled' });
    expect(run.effects).toMatchObject([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
  });

  it('ends when the budget of the class is used up', () => {
    const plan = watched().policy({ failures: { classes: { stalled: { budget: 1 } } } });
    expect(stallsTwice(plan).status.cause).toMatchObject({ reason: 'FailureBudgetExceeded' });
  });

  it('ends when its ladder is used up, although it takes long each time', () => {
    const plan = watched(withLadder({ scope: 'gang', times: 1 }), 3_600_000);
    expect(stallsTwice(plan).status.cause).toMatchObject({ reason: 'RestartsExhausted' });
  });

  it('does not end after long progress', () => {
    const plan = watched(withLadder({ scope: 'gang', times: 1 }));
    const run = startsAgain(running(plan).reaches('stall').captures(), 20);
    run
      .waits(40)
      .receives(says(21, 1, 2))
      .waits(700)
      .receives(says(22, 2, 2))
      .reaches('stall')
      .reaches('stall');
    expect(run.captures().state).toBe('Restarting.Draining');
  });

  it('ends when backoffLimit is reached, with the stall in the message', () => {
    const { cause } = stallsTwice(watched(threePods().backoffLimit(1))).status;
    expect(cause?.reason).toBe('BackoffLimitExceeded');
    expect(cause?.message).toContain('no progress since it started running');
  });
});

describe('a change of the policy', () => {
  it('gives a running job a limit that had none', () => {
    const run = running(threePods()).amend(watched());
    expect(run.secondsTo('stall')).toBe(60);
  });

  it('gives it a longer limit, counted from the last progress, or none', () => {
    const run = running(watched()).waits(29).amend(watched(threePods(), 600_000));
    expect(run.secondsTo('stall')).toBe(570);
    expect(run.amend(threePods()).secondsTo('stall')).toBeUndefined();
  });

  it('gives it a shorter limit, which may have expired already', () => {
    const run = running(watched(threePods(), 600_000)).waits(99).amend(watched());
    expect(run.secondsTo('stall')).toBe(-40);
    expect(run.reaches('stall').state).toBe('Restarting.Capturing');
  });

  it('gives the watcher time to find a new pattern', () => {
    const run = running(watched()).waits(29);
    run.amend(threePods().policy({ progress: { log: 'epoch=(\\d+)', stalledAfterMs: 60_000 } }));
    expect(run.secondsTo('stall')).toBe(60);
  });
});

describe('a job that makes no steps', () => {
  const noSteps =
    'no step since 2026-01-01T00:10:00Z, usually one every 3s, the last read was step 60 of 100';
  const silentPod = { pod: 'resnet-worker-1', node: 'gpu-7' };
  const restarted = (plan: PlanBuilder = threePods()) => plan.policy({ progress: { onHang: 'restart' } });
  const hung = (revision = 11) => allReady(revision).noSteps(noSteps);

  it('restarts as a gang by one word, once the watcher has confirmed it, as after a stall', () => {
    const run = running(restarted()).receives(hung());
    expect([run.state, run.secondsTo('stall'), run.effects]).toEqual(['Running', 0, []]);
    run.receives(hung(12).answers({ silentPod })).reaches('stall');
    expect(run.effects).toEqual([{ type: 'capture', attempt: 1, shows: 'resnet-worker-1' }]);
    expect(run.captures().effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
    const message = `${noSteps}; by the log of resnet-worker-1; signalbox.dev/policy progress.onHang: restart`;
    expect(run.status.conditions.at(-1)).toMatchObject({
      type: 'Restarting',
      message: expect.stringContaining(message),
    });
    startsAgain(run, 20);
    expect([run.state, run.secondsTo('stall')]).toEqual(['Running', undefined]);
    expect(run.status).toMatchObject({ attempt: 2, restarts: 1 });
  });

  it('continues when it has made a step by the time of the answer', () => {
    const run = running(restarted()).receives(hung()).receives(allReady(12).answers({}));
    expect([run.state, run.secondsTo('stall')]).toEqual(['Running', undefined]);
  });

  it('continues while its log cannot be read, and is judged again a minute later', () => {
    const run = running(restarted()).receives(hung());
    run.receives(hung(12).answers({ progressFault: 'the kubelet does not answer' })).reaches('stall');
    expect([run.state, run.secondsTo('stall'), run.effects]).toEqual(['Running', 60, []]);
    expect(run.status.warnings).toContainEqual(expect.stringContaining('the kubelet does not answer'));
    expect(run.receives(hung(13).answers({ silentPod }, 2)).reaches('stall').state).toBe(
      'Restarting.Capturing',
    );
  });

  it.each([
    ['class final', { stalled: { final: true } }, 'Stalled'],
    ['an empty budget', { stalled: { budget: 0 } }, 'FailureBudgetExceeded'],
  ] as const)('fails with %s, by the pod whose log shows it', (_, classes, reason) => {
    const run = running(restarted().policy({ failures: { classes } })).receives(
      hung().answers({ silentPod }),
    );
    expect(run.reaches('stall').captures().status.cause).toMatchObject({ reason, ...silentPod });
  });

  it('restarts where the installation says so, unless its policy says otherwise', () => {
    const ofInstallation = { ...threePods().build(), onHang: 'restart' } as const;
    const due = (policy?: PlanBuilder) =>
      stallsAt({
        ...(policy ?? threePods()).context(hung()),
        plan: { ...(policy ?? threePods()).build(), onHang: ofInstallation.onHang },
        hangJudgedAt: START,
      });
    expect(due()).toBe(START);
    expect(due(threePods().policy({ progress: { onHang: 'tell' } }))).toBeUndefined();
    expect(due(threePods().policy({ progress: { log: 'step=(.*)' } }))).toBeUndefined();
    const context = { ...threePods().context(hung()), plan: ofInstallation };
    expect(stallTrouble(context).rule).toBe('SIGNALBOX_ON_HANG: restart');
  });

  it('restarts when an amendment says so while it hangs', () => {
    const run = running(threePods()).receives(hung()).waits(30);
    expect(run.secondsTo('stall')).toBeUndefined();
    expect(run.amend(restarted()).secondsTo('stall')).toBe(-31);
    expect(run.reaches('stall').state).toBe('Restarting.Capturing');
  });
});
