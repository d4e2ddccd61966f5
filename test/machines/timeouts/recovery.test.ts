import { describe, expect, it } from '@jest/globals';
import { recoveryEndsAt, startInPlaceRecovery, withNextRung } from '../../../machines/timeouts/recovery.ts';
import { aDigest, type DigestBuilder, type PlanBuilder } from '../builders.ts';
import { allReady, running, withLadder } from '../three-pods.ts';

const ladder = () =>
  withLadder({ scope: 'container', withinMs: 60_000 }, { scope: 'pod', withinMs: 90_000 }, { scope: 'gang' });

describe('a job that does not recover in time', () => {
  it('continues with the next rung, and says which rule decided', () => {
    const context = { ...ladder().context(), ladder: { rung: 1, times: 3, at: 0 }, at: 5 };
    expect(withNextRung(context)).toEqual({
      ladder: { rung: 2, times: 0, at: 5 },
      trouble: {
        class: 'infrastructure',
        reason: 'RestartsExhausted',
        message: 'the job did not run again in time; signalbox.dev/policy restart.ladder pod.within: 90s',
        rule: 'signalbox.dev/policy restart.ladder pod.within: 90s',
        least: 'pod',
      },
    });
  });

  it('was on the first rung if it never left it', () => {
    expect(withNextRung(ladder().context())).toMatchObject({ ladder: { rung: 1 } });
  });
});

describe('a job whose containers are restarted in place', () => {
  const restarted = aDigest(11)
    .master({ ready: 1 })
    .workers({ ready: 1, scheduled: 1 })
    .restarts(1)
    .restarted({ index: 1, uid: 'u1' });

  it('has its time to run again, where its ladder says so', () => {
    const begun = (plan: PlanBuilder, digest: DigestBuilder) =>
      recoveryEndsAt({ ...plan.context(), ...startInPlaceRecovery(plan.context(digest), 1_000) });
    expect(begun(ladder(), restarted)).toBe(61_000);
    expect(begun(ladder(), aDigest())).toBeUndefined();
    expect(begun(withLadder({ scope: 'pod' }), restarted)).toBeUndefined();
  });

  it('has the pod replaced that does not recover', () => {
    const run = running(ladder()).receives(restarted);
    expect([run.state, run.secondsTo('recovery')]).toEqual(['Starting.Waiting', 60]);
    run.reaches('recovery').captures();
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [{ uid: 'u1' }] }]);
  });

  it('continues when it has recovered', () => {
    const run = running(ladder()).receives(restarted).receives(allReady(12).restarts(1));
    expect(run.secondsTo('recovery')).toBeUndefined();
  });
});
