import { describe, expect, it } from '@jest/globals';
import { isNewDigest, withDigest, withMinResourceVersion } from '../../../machines/model/digest-order.ts';
import { countRestarts, type JobContext } from '../../../machines/model/job-context.ts';
import { aDigest, aPlan, type DigestBuilder } from '../builders.ts';
import { MachineRun } from '../machine-run.ts';

const known = (): JobContext => ({
  ...aPlan().workers(3).context(aDigest(10).groups(5)),
  attempt: 2,
  gang: 'volcano',
});

describe('a digest', () => {
  const table: readonly [says: string, digest: () => DigestBuilder, news: boolean][] = [
    ['when it has read further', () => aDigest(11).groups(5), true],
    ['when only its groups are newer', () => aDigest(10).groups(6), true],
    ['not when it comes twice', () => aDigest(10).groups(5), false],
    ['not when its pods are older', () => aDigest(9).groups(9), false],
    ['not when its groups are older', () => aDigest(11).groups(4), false],
    ['when its groups cannot be read any more', () => aDigest(11), true],
    [
      'not when only groups of other schedulers are newer',
      () => aDigest(10).groups(5).groups(9, 'kube-batch'),
      false,
    ],
    ['when there are no pods any more', () => aDigest(11).groups(5).attempt(0), true],
    ['not when it is about another run of the job', () => aDigest(11).groups(5).of('anchor-0'), false],
    ['when the anchor is deleted, even if it is older', () => aDigest(3).withoutAnchor(), true],
    ['not of the deletion of another anchor', () => aDigest(11).of('anchor-0').withoutAnchor(), false],
  ];
  it.each(table)('is new, or not, %s', (_, digest, news) => {
    const context = known();
    const ofAttempt = digest().build().attempt === 0 ? digest() : digest().attempt(2);
    expect(isNewDigest(context, ofAttempt.build())).toBe(news);
  });

  it('is new when something else is decided of a gated gang, although no pod has changed meanwhile', () => {
    const told = (reason: string) => aDigest(10).attempt(2).gang({ scheduled: 'False', reason });
    const isNews = (gang: JobContext['gang'], reason: string) =>
      isNewDigest({ ...known(), gang, digest: told('WaitingForRoom').build() }, told(reason).build());
    expect(isNews('gated', 'Turn')).toBe(true);
    expect(isNews('gated', 'WaitingForRoom')).toBe(false);
    // Groups have resource versions.
    expect(isNews('volcano', 'Turn')).toBe(false);
  });

  it.each([1, 3])('is not new if it is about attempt %i of a job at attempt 2', (attempt) => {
    expect(isNewDigest(known(), aDigest(11).groups(5).attempt(attempt).build())).toBe(false);
  });

  it('is also new for pods alone, whatever was read of groups of other schedulers', () => {
    const context = { ...known(), digest: aDigest(10).groups(5).groups(90, 'kube-batch').build() };
    expect(isNewDigest(context, aDigest(11).groups(5).attempt(2).build())).toBe(true);
  });

  it.each([
    [undefined, false],
    [6, false],
    [7, false],
    [8, true],
  ])('with the same state is new if it answers a newer question than 7: %s', (question, news) => {
    const sameState = () => aDigest(10).groups(5).attempt(2);
    const context = { ...known(), digest: sameState().answers({}, 7).build() };
    const answer = question === undefined ? sameState() : sameState().answers({}, question);
    expect(isNewDigest(context, answer.build())).toBe(news);
  });

  it('is not new if it is about older pods, whatever it answers', () => {
    expect(isNewDigest(known(), aDigest(9).groups(5).attempt(2).answers({}, 8).build())).toBe(false);
  });

  it('is new when its groups become readable again', () => {
    const context = { ...known(), digest: aDigest(10).build() };
    expect(isNewDigest(context, aDigest(10).groups(5).attempt(2).build())).toBe(true);
  });

  it('is new when it is the first', () => {
    expect(isNewDigest(aPlan().workers(1).context(), aDigest(0).build())).toBe(true);
  });

  it('is not new after the anchor was deleted', () => {
    const context = aPlan().workers(1).context(aDigest(10).withoutAnchor());
    expect(isNewDigest(context, aDigest(11).build())).toBe(false);
    expect(isNewDigest(context, aDigest(11).withoutAnchor().build())).toBe(false);
  });
});

describe('what is known after a digest', () => {
  it('keeps every index that has ever succeeded', () => {
    const after = receiving(
      aDigest(1).workers({ succeeded: 1, ready: 2 }, '2'),
      aDigest(2).workers({ ready: 2 }),
      aDigest(3).workers({ succeeded: 1, ready: 1 }, '0'),
    );
    expect(after.succeededIndices).toEqual({ worker: '0,2' });
  });

  it('does not include successes of a role that restarts, or from before the last change', () => {
    const context = { ...aPlan().workers(3).context(), minResourceVersion: 5 };
    const early = aDigest(4).workers({ succeeded: 1, ready: 2 }, '2').build();
    expect(withDigest(context, early).succeededIndices).toEqual({});
    const restarting = { scope: 'role', why: 'x', effect: { type: 'suspend' } } as const;
    const during = aDigest(6).workers({ succeeded: 1, ready: 2 }, '2').build();
    expect(withDigest({ ...context, restarting }, during).succeededIndices).toEqual({});
    const replacing = { ...restarting, scope: 'pod' } as const;
    expect(withDigest({ ...context, restarting: replacing }, during).succeededIndices).toEqual({
      worker: '2',
    });
    expect(withDigest(context, during).succeededIndices).toEqual({ worker: '2' });
  });

  it('does not include pods of an earlier attempt, which has none any more', () => {
    const failure = { index: 1, exitCode: 3 };
    const gone = aDigest(1).attempt(0).workers({}, '0').vanished(failure);
    const context = aPlan().workers(3).context();
    expect(withDigest(context, gone.goneOf(1).build()).succeededIndices).toEqual({ worker: '0' });
    const after = withDigest({ ...context, attempt: 2 }, gone.goneOf(1).build());
    expect(after.succeededIndices).toEqual({});
    expect(after.digest).toMatchObject({ roles: {}, vanished: undefined });
  });

  it('does not complete a job by successes of the attempt before', () => {
    const run = new MachineRun(aPlan().workersWith(2, { restartPolicy: 'OnFailure' }))
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ ready: 1, succeeded: 1 }, '0'));
    run.suspend().does('suspend', 20).resume();
    run.receives(aDigest(21).attempt(0).workers({}, '0-1').goneOf(1)).does('createAttempt', 20);
    expect(run.status.phase).toBe('Restarting');
    expect(run.context.succeededIndices).toEqual({});
  });

  it('includes a success that was reported during a replacement, if it is from after it', () => {
    const received = {
      ...aPlan()
        .workers(3)
        .context(aDigest(6).workers({ succeeded: 1, ready: 2 }, '2')),
    };
    expect(withMinResourceVersion({ ...received, succeededIndices: {} }, 6)).toEqual({
      minResourceVersion: 6,
      succeededIndices: { worker: '2' },
    });
    expect(withMinResourceVersion({ ...received, succeededIndices: {} }, 7)).toEqual({
      minResourceVersion: 7,
      succeededIndices: {},
    });
  });

  it('ends a job whose last pod succeeds during a replacement, without another digest', () => {
    const run = new MachineRun(aPlan().workersWith(2, { restartPolicy: 'OnFailure' }))
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ ready: 1 }))
      .receives(aDigest(14).workers({ succeeded: 2 }, '0-1'))
      .does('restorePods', 13);
    expect(run.status.phase).toBe('Completed');
  });

  const sums: readonly [says: string, sums: number[], restarts: number][] = [
    ['a sum that rises is as it stands', [0, 1, 3], 3],
    ['a sum that falls has lost what it fell by', [3, 1], 3],
    ['a new pod’s restarts are added to those of the one before it', [3, 0, 2], 5],
    ['a sum that stays adds nothing', [2, 2, 2], 2],
  ];
  it.each(sums)('%s: %j', (_, restarts, total) => {
    const digests = restarts.map((sum, index) => aDigest(index + 1).restarts(sum));
    expect(countRestarts(receiving(...digests).restarts)).toBe(total);
  });
});

const receiving = (...digests: DigestBuilder[]): JobContext =>
  digests.reduce((context, digest) => withDigest(context, digest.build()), aPlan().workers(3).context());
