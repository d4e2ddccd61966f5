import { describe, expect, it } from '@jest/globals';
import { aRunWithEvidence, START } from './machine-run.ts';
import { oneFailed, running, startsAgain, threePods, withLadder } from './three-pods.ts';

const HOUR = 3_600_000;
const gang = () => withLadder({ scope: 'gang' }).deadline(3600);
const deadlineOf = ({ deadlines }: ReturnType<typeof running>) => deadlines.activeDeadline;

describe('the deadline of a job that restarts', () => {
  it('stays the same, however often its gang restarts', () => {
    const run = running(gang());
    const deadline = deadlineOf(run);
    expect(deadline).toBe(START + HOUR + 1000);
    startsAgain(run.receives(oneFailed(11)).captures(), 30);
    startsAgain(
      run
        .receives(oneFailed(31, {}, 2))
        .captures()
        .reaches('backOff'),
      40,
    );
    expect([run.status.attempt, deadlineOf(run)]).toEqual([3, deadline]);
  });

  it('fails the job also while it drains, backs off, or is held', () => {
    const held = gang().policy({ holdOnFailureMs: 9 * HOUR });
    const failedTwice = () => startsAgain(running(gang()).receives(oneFailed(11)).captures(), 30).receives(oneFailed(31, {}, 2)).captures(); // biome-ignore format: one line
    for (const run of [
      running(gang()).receives(oneFailed(11)).captures(),
      failedTwice().does('drain'),
      running(held).receives(oneFailed(11)).captures(),
    ]) {
      expect(run.reaches('activeDeadline').status).toMatchObject({
        phase: 'Failed',
        cause: { reason: 'DeadlineExceeded' },
      });
    }
  });

  it('restarts in full after a suspension', () => {
    const run = running(gang()).waits(1800).suspend().does('suspend').waits(7200).resume();
    expect(deadlineOf(run)).toBeUndefined();
    expect(run.does('createAttempt', 20).secondsTo('activeDeadline')).toBe(3600);
  });
});

describe('a deadline that is extended', () => {
  it('is later by that time, and the status says who extended it', () => {
    const run = running(gang()).extendDeadline(600, 'extended by ben: almost there');
    expect(deadlineOf(run)).toBe(START + HOUR + 601_000);
    expect(run.lastCause).toBe('extended by ben: almost there');
  });

  it('counts from its start if it has not started', () => {
    const run = aRunWithEvidence(gang()).extendDeadline(600);
    expect(deadlineOf(run)).toBeUndefined();
    expect(run.does('createAttempt', 10).secondsTo('activeDeadline')).toBe(4200);
  });

  it('can be extended again, also while the gang restarts', () => {
    const run = running(gang()).extendDeadline(600).receives(oneFailed(11)).captures().extendDeadline(60);
    expect(deadlineOf(startsAgain(run, 30))).toBe(START + HOUR + 661_000);
  });

  it('stays extended after a suspension', () => {
    const run = running(gang()).extendDeadline(600).suspend().does('suspend').extendDeadline(60);
    run.resume().does('createAttempt', 20);
    expect(run.secondsTo('activeDeadline')).toBe(4260);
  });

  it('stays extended when the policy is changed', () => {
    const run = running(gang())
      .extendDeadline(600)
      .amend(gang().policy({ holdOnFailureMs: 5 }));
    run.suspend().does('suspend').resume().does('createAttempt', 20);
    expect(run.secondsTo('activeDeadline')).toBe(4200);
  });

  it('is in the message with its total when it ends the job', () => {
    const run = running(gang()).extendDeadline(600).reaches('activeDeadline');
    expect(run.status.cause?.rule).toBe('spec.runPolicy.activeDeadlineSeconds: 4200');
  });

  it('stays extended when the job is amended', () => {
    const run = running(gang())
      .extendDeadline(600)
      .amend(gang().policy({ holdOnFailureMs: 5 }));
    run.reaches('activeDeadline');
    expect(run.status.cause?.rule).toBe('spec.runPolicy.activeDeadlineSeconds: 4200');
  });

  it('is refused by a job without a deadline', () => {
    const run = running(threePods()).extendDeadline(600);
    expect(run.deadlines).toEqual({});
  });
});

describe('a manifest that is applied', () => {
  it('has the last word over what requests added, if it changes the deadline', () => {
    const run = running(gang()).extendDeadline(600);
    expect(deadlineOf(run.amend(gang().policy({ holdOnFailureMs: HOUR })))).toBe(START + HOUR + 601_000);
    expect(deadlineOf(run.amend(gang().deadline(7200)))).toBe(START + 2 * HOUR + 1000);
  });

  it('can set a first deadline, also an early one, and remove it', () => {
    const run = running(withLadder({ scope: 'gang' }));
    expect(deadlineOf(run)).toBeUndefined();
    expect(deadlineOf(run.amend(gang()))).toBe(START + HOUR + 1000);
    expect(deadlineOf(run.amend(withLadder({ scope: 'gang' })))).toBeUndefined();
    expect(run.waits(60).amend(gang().deadline(1)).reachesDeadline().status.cause?.reason).toBe(
      'DeadlineExceeded',
    );
  });
});
