import { describe, expect, it } from '@jest/globals';
import { aLifeWithEvidence, START } from './life.ts';
import { oneFailed, running, startsAgain, threePods, withLadder } from './three-pods.ts';

const HOUR = 3_600_000;
const gang = () => withLadder({ scope: 'gang' }).deadline(3600);
const deadlineOf = ({ deadlines }: ReturnType<typeof running>) => deadlines.activeDeadline;

describe('the deadline of a job that restarts', () => {
  it('is kept, however often its gang starts again', () => {
    const life = running(gang());
    const deadline = deadlineOf(life);
    expect(deadline).toBe(START + HOUR + 1000);
    startsAgain(life.hears(oneFailed(11)).captures(), 30);
    startsAgain(
      life
        .hears(oneFailed(31, {}, 2))
        .captures()
        .reaches('backOff'),
      40,
    );
    expect([life.status.attempt, deadlineOf(life)]).toEqual([3, deadline]);
  });

  it('fails it also while it drains, backs off, or is held', () => {
    const held = gang().policy({ holdOnFailureMs: 9 * HOUR });
    const failedTwice = () => startsAgain(running(gang()).hears(oneFailed(11)).captures(), 30).hears(oneFailed(31, {}, 2)).captures(); // biome-ignore format: one line
    for (const life of [
      running(gang()).hears(oneFailed(11)).captures(),
      failedTwice().does('drain'),
      running(held).hears(oneFailed(11)).captures(),
    ]) {
      expect(life.reaches('activeDeadline').status).toMatchObject({
        phase: 'Failed',
        cause: { reason: 'DeadlineExceeded' },
      });
    }
  });

  it('begins anew after a suspension, as long as it was', () => {
    const life = running(gang()).rests(1800).suspend().does('suspend').rests(7200).resume();
    expect(deadlineOf(life)).toBeUndefined();
    expect(life.does('createAttempt', 20).secondsTo('activeDeadline')).toBe(3600);
  });
});

describe('a deadline that is extended', () => {
  it('is later by so much, and the job says by whom', () => {
    const life = running(gang()).extendDeadline(600, 'extended by ben: almost there');
    expect(deadlineOf(life)).toBe(START + HOUR + 601_000);
    expect(life.lastWord).toBe('extended by ben: almost there');
  });

  it('counts from its beginning when it has not begun', () => {
    const life = aLifeWithEvidence(gang()).extendDeadline(600);
    expect(deadlineOf(life)).toBeUndefined();
    expect(life.does('createAttempt', 10).secondsTo('activeDeadline')).toBe(4200);
  });

  it('can be extended again, also while the gang starts again', () => {
    const life = running(gang()).extendDeadline(600).hears(oneFailed(11)).captures().extendDeadline(60);
    expect(deadlineOf(startsAgain(life, 30))).toBe(START + HOUR + 661_000);
  });

  it('stays so after a suspension', () => {
    const life = running(gang()).extendDeadline(600).suspend().does('suspend').extendDeadline(60);
    life.resume().does('createAttempt', 20);
    expect(life.secondsTo('activeDeadline')).toBe(4260);
  });

  it('stays so when the policy is changed', () => {
    const life = running(gang())
      .extendDeadline(600)
      .amend(gang().policy({ holdOnFailureMs: 5 }));
    life.suspend().does('suspend').resume().does('createAttempt', 20);
    expect(life.secondsTo('activeDeadline')).toBe(4200);
  });

  it('is named with what it came to when the job runs into it all the same', () => {
    const life = running(gang()).extendDeadline(600).reaches('activeDeadline');
    expect(life.status.cause?.rule).toBe('spec.runPolicy.activeDeadlineSeconds: 4200');
  });

  it('stays extended when the job is amended', () => {
    const life = running(gang())
      .extendDeadline(600)
      .amend(gang().policy({ holdOnFailureMs: 5 }));
    life.reaches('activeDeadline');
    expect(life.status.cause?.rule).toBe('spec.runPolicy.activeDeadlineSeconds: 4200');
  });

  it('does not give one to a job that has none', () => {
    const life = running(threePods()).extendDeadline(600);
    expect(life.deadlines).toEqual({});
  });
});
