import { describe, expect, it } from '@jest/globals';
import { REASONS } from '../../contracts/reasons.ts';
import { aDigest } from './builders.ts';
import {
  allReady,
  gangJob,
  oneFailed,
  type RunningMachine,
  running,
  startsAgain,
  threePods,
  withLadder,
} from './three-pods.ts';

const FAILED = 'resnet-worker-0: exited with code 1 (Error)';
const failed = (plan = gangJob()) => running(plan).receives(oneFailed(11));
const drained = () =>
  startsAgain(failed().captures(), 30)
    .receives(oneFailed(31, {}, 2))
    .captures()
    .does('drain');
const backingOff = () =>
  failed(threePods()).captures().does('restorePods', 20).receives(oneFailed(20)).captures();

describe('the cause of a job’s state', () => {
  const table: readonly [state: string, arrive: () => RunningMachine, reason: string, message: string][] = [
    ['Restarting.Capturing', failed, 'ReplacingPods', `${FAILED}; evidence is being collected`],
    [
      'Restarting.Holding',
      () => failed(gangJob().policy({ holdOnFailureMs: 60_000 })).captures(),
      'HeldForDebugging',
      `${FAILED}; the failed pods are kept until 2026-01-01T00:01:04Z`,
    ],
    ['Restarting.Draining', () => failed().captures(), 'RestartingGang', `the gang restarts: ${FAILED}`],
    [
      'Restarting.Drained',
      drained,
      'RestartingGang',
      'all pods of attempt 2 are gone; the next attempt begins at 2026-01-01T00:00:19Z',
    ],
    [
      'Restarting.BackingOff',
      backingOff,
      'ReplacingPods',
      `${FAILED}; the next replacement is at 2026-01-01T00:00:17Z`,
    ],
    ['Restarting.Replacing', () => failed(threePods()).captures(), 'ReplacingPods', FAILED],
    [
      'Pending.Creating',
      () => failed().captures().does('drain'),
      'CreatingObjects',
      'objects of attempt 2 are being created',
    ],
    [
      'Finishing.Capturing',
      () => failed(withLadder({ scope: 'pod', times: 0 })),
      'RestartsExhausted',
      `${FAILED}; signalbox.dev/policy restart.ladder: pod`,
    ],
  ];
  it.each(table)('%s', (state, arrive, reason, message) => {
    const run = arrive();
    expect([run.state, run.status.cause?.reason, run.status.cause?.message]).toEqual([
      state,
      reason,
      message,
    ]);
    expect(Object.keys(REASONS)).toContain(reason);
  });

  it('does not change with another request meanwhile', () => {
    const run = failed().captures().hold(60);
    expect(run.status.cause?.message).toBe(`the gang restarts: ${FAILED}`);
  });
});

describe('the timeline of a restart', () => {
  it('has each step from the failure to the next attempt', () => {
    const run = drained()
      .retryNow('retried at once by ana: the disk is free again')
      .does('createAttempt', 40);
    const words = run.status.timeline.map(({ attempt, state, cause }) => `${attempt} ${state}: ${cause}`);
    expect(words.slice(-6)).toEqual([
      '2 Running: all 3 pods are ready',
      `2 Restarting.Capturing: ${FAILED}; evidence is being collected`,
      `2 Restarting.Draining: the gang restarts: ${FAILED}`,
      '2 Restarting.Drained: all pods of attempt 2 are gone; the next attempt begins at 2026-01-01T00:00:19Z',
      '3 Pending.Creating: retried at once by ana: the disk is free again',
      '3 Pending.Scheduling: objects of attempt 3 exist; waiting for 3 pods',
    ]);
  });

  it('says which attempt is deleted, when there is no request', () => {
    expect(failed().captures().does('drain').lastCause).toBe('attempt 1 is gone; attempt 2 begins');
  });

  it('says that the back-off has ended', () => {
    expect(backingOff().reaches('backOff').lastCause).toBe('the back-off is over');
  });

  it('counts the failures that it does not name', () => {
    const both = aDigest(11).master({ ready: 1 }).workers({ failed: 2 }).failure({ exitCode: 1 });
    const run = running(gangJob())
      .receives(both.failure({ index: 1, exitCode: 1 }))
      .captures();
    expect(run.lastCause).toBe(`the gang restarts: ${FAILED}, and 1 more`);
  });

  it.each([
    ['retryNow', (run: RunningMachine) => run.retryNow('word of ana')],
    ['hold', (run: RunningMachine) => run.hold(60, 'word of ana')],
    ['extendDeadline', (run: RunningMachine) => run.extendDeadline(60, 'word of ana')],
    ['amend', (run: RunningMachine) => run.amend(gangJob().deadline(60), 'word of ana')],
  ])('keeps who made which request: %s', (_, ask) => {
    const run = ask(running(gangJob().deadline(60)));
    expect([run.state, run.lastCause]).toEqual(['Running', 'word of ana']);
  });
});

describe('the status of a job with a policy', () => {
  it('shows progress, evidence, budgets and avoided nodes', () => {
    const plan = withLadder({ scope: 'gangElsewhere' }).policy({
      failures: { classes: { userCode: { budget: 3 } } },
    });
    const run = running(plan).receives(allReady(11).lastReportAt(1).progress('7', 1));
    run.receives(oneFailed(12, { uid: 'u0', node: 'node-1' })).captures();
    expect(run.status).toMatchObject({
      progress: '7',
      evidence: [{ uid: 'u0', pod: 'resnet-worker-0' }],
      budgets: { userCode: { used: 1, allowed: 3 } },
      avoided: { 'node-1': '2026-01-01T01:00:05Z' },
    });
  });

  it('has none of these by default', () => {
    const fields = Object.keys(running(threePods()).status);
    for (const field of ['progress', 'evidence', 'budgets', 'avoided']) expect(fields).not.toContain(field);
  });
});
