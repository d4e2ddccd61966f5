import { describe, expect, it } from '@jest/globals';
import type { Cause } from '../../../contracts/types.ts';
import { aDigest, aFailure, aPlan } from '../builders.ts';
import { aRun, aRunWithEvidence } from '../machine-run.ts';

const FULL: Cause = { reason: 'QuotaExceeded', message: 'exceeded quota: small, used: pods=3' };
const FULL_STILL: Cause = { reason: 'QuotaExceeded', message: 'exceeded quota: small, used: pods=2' };
const GONE: Cause = { reason: 'NamespaceMissing', message: 'namespaces "ml" not found' };
const AWAY: Cause = { reason: 'ApiServerUnavailable', message: 'no answer from the API server' };

const aTrainingJob = () => aPlan().master().workers(2);
const impatient = () => aTrainingJob().policy({ refusals: { failAfterMs: 60_000 } });

const entriesOf = ({ status }: ReturnType<typeof aRun>) =>
  status.timeline.map(({ cause }) => cause).filter((cause) => cause.startsWith('QuotaExceeded'));

describe('while the API server refuses what a job needs', () => {
  it('the job waits, and says for what', () => {
    const job = aRun(aTrainingJob()).isRefused('createAttempt', FULL);
    expect(job.state).toBe('Pending.Creating');
    expect(job.status.cause).toEqual({
      reason: 'QuotaExceeded',
      message: 'exceeded quota: small, used: pods=3; retrying until 2026-01-08T00:00:01Z',
    });
  });

  it('its timeline has one entry, however often the request is retried', () => {
    const job = aRun(aTrainingJob())
      .isRefused('createAttempt', FULL)
      .isRefused('createAttempt', FULL)
      .isRefused('createAttempt', FULL_STILL);
    expect(entriesOf(job)).toHaveLength(1);
    expect(job.status.cause?.message).toContain('used: pods=2');
  });

  it('another reason is another entry, and does not extend the time', () => {
    const other: Cause = { reason: 'Forbidden', message: 'pods is forbidden' };
    const job = aRun(impatient())
      .isRefused('createAttempt', FULL)
      .waits(30)
      .isRefused('createAttempt', other);
    expect(job.lastCause).toBe('Forbidden: pods is forbidden; retrying');
    expect(job.secondsTo('refused')).toBe(29);
  });

  it.each<[string, (job: ReturnType<typeof aRun>) => ReturnType<typeof aRun>]>([
    ['then', (job) => job.isRefused('restorePods', GONE).receives(aDigest(12).withoutAnchor())],
    ['before', (job) => job.receives(aDigest(12).withoutAnchor()).isRefused('restorePods', GONE)],
  ])('the job ends if its anchor is gone %s: its namespace may be, too', (_, meets) => {
    const job = aRun(aTrainingJob())
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ ready: 1 }).master({ ready: 1 }));
    expect(job.effects).toMatchObject([{ type: 'restorePods' }]);
    meets(job);
    expect([job.state, job.effects]).toMatchObject(['Finishing.CleaningUp', [{ type: 'cleanUp' }]]);
    expect(job.does('cleanUp').status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'AnchorDeleted' },
    });
  });

  it('a job without an anchor ends while its objects are not created', () => {
    const job = aRun(aTrainingJob()).isRefused('createAttempt', GONE).receives(aDigest(1).withoutAnchor());
    expect(job.state).toBe('Finishing.CleaningUp');
  });

  it('the job continues when the request is accepted', () => {
    const job = aRun(impatient()).isRefused('createAttempt', FULL).does('createAttempt', 7);
    expect(job.state).toBe('Pending.Scheduling');
    expect(job.status.cause?.reason).toBe('AwaitingWatcher');
    expect(job.secondsTo('refused')).toBeUndefined();
  });

  it('the job continues when the request is accepted, although its time expired before the result arrived', () => {
    const job = aRun(impatient()).isRefused('createAttempt', FULL).waits(60).does('createAttempt', 7);
    expect(job.fires('refused').effects).toEqual([]);
    expect(job.state).toBe('Pending.Scheduling');
  });

  it('the job fails when its policy’s time has expired, with the cause of waiting', () => {
    const job = aRun(impatient()).isRefused('createAttempt', FULL).reaches('refused');
    expect(job.status).toMatchObject({ phase: 'Failed', state: 'Finishing.CleaningUp' });
    expect(job.status.cause).toEqual({
      reason: 'ClusterRefused',
      message:
        'refused for too long; QuotaExceeded: exceeded quota: small, used: pods=3; signalbox.dev/policy refusals.failAfter: 60s',
      rule: 'signalbox.dev/policy refusals.failAfter: 60s',
    });
  });

  it('an unavailable API server is waited for without limit', () => {
    const job = aRun(impatient()).isRefused('createAttempt', AWAY, { isLimited: false });
    expect(job.secondsTo('refused')).toBeUndefined();
    expect(job.status.cause?.message).toBe('no answer from the API server; retrying');
  });

  it('the time begins with the first refusal', () => {
    const job = aRun(impatient())
      .isRefused('createAttempt', AWAY, { isLimited: false })
      .waits(600)
      .isRefused('createAttempt', FULL);
    expect(job.secondsTo('refused')).toBe(60);
  });

  it('the request can be retried at once on demand', () => {
    const job = aRun(aTrainingJob()).isRefused('createAttempt', FULL).retryNow();
    expect(job.effects).toEqual([{ type: 'tryAgain' }]);
    expect(job.lastCause).toBe('retried at once by ana');
    expect(job.status.cause?.reason).toBe('QuotaExceeded');
  });

  it('the job can be stopped and suspended', () => {
    expect(aRun(aTrainingJob()).isRefused('createAttempt', FULL).stop().status.cause?.reason).toBe(
      'StopRequested',
    );
    const suspended = aRun(aTrainingJob()).isRefused('createAttempt', FULL).suspend();
    expect(suspended.status.cause?.reason).toBe('Suspended');
    expect(suspended.secondsTo('refused')).toBeUndefined();
  });

  it('the refusal is kept in a new run of the workflow', () => {
    const job = aRun(impatient()).isRefused('createAttempt', FULL).continueAsNew();
    expect(job.status.cause?.reason).toBe('QuotaExceeded');
    expect(job.secondsTo('refused')).toBe(60);
  });
});

const running = (plan = aTrainingJob()) =>
  aRun(plan)
    .does('createAttempt', 1)
    .receives(aDigest(1).master({ ready: 1 }).workers({ ready: 2 }));

describe('a pod that is to be replaced and is refused', () => {
  const refused = (plan = aTrainingJob()) =>
    running(plan)
      .receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure())
      .isRefused('restorePods', FULL);

  it('is retried', () => {
    expect(refused().status).toMatchObject({ phase: 'Restarting', cause: { reason: 'QuotaExceeded' } });
    expect(refused().does('restorePods', 3).status.phase).toBe('Pending');
  });

  it('fails the job when the time has expired', () => {
    const job = running(impatient())
      .receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure())
      .captures()
      .isRefused('restorePods', FULL)
      .reaches('refused');
    expect(job.status).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
  });
});

it('a suspension that is refused for too long ends the job like a final refusal', () => {
  const job = running(impatient()).suspend().isRefused('suspend', FULL).reaches('refused');
  expect(job.status).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
});

it('evidence is given up after a minute, and the restart continues without it', () => {
  const job = aRunWithEvidence(aTrainingJob())
    .does('createAttempt', 1)
    .receives(aDigest(1).master({ ready: 1 }).workers({ ready: 2 }))
    .receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure(aFailure()))
    .isRefused('capture', { reason: 'Forbidden', message: 'pods/log is forbidden' });
  expect(job.secondsTo('refused')).toBe(60);
  job.reaches('refused');
  expect(job.state).toBe('Restarting.Replacing');
  expect(job.lastCause).toContain('evidence could not be collected: pods/log is forbidden');
});

it('a refused host list is given up when its pods are deleted', () => {
  const plan = impatient().listing({ when: 'addressed', roles: ['Worker'] });
  const job = aRun(plan)
    .does('createAttempt', 1)
    .receives(aDigest(1).master({ scheduled: 1 }).workers({ scheduled: 2 }).hostList(2, 'a'))
    .isRefused('publishHostList', FULL);
  expect(job.secondsTo('refused')).toBe(60);
  job.suspend();
  expect(job.secondsTo('refused')).toBeUndefined();
  expect(job.status.cause?.reason).toBe('Suspended');
});

it('evidence that was refused for too long limits nothing afterwards, also in another run of the workflow', () => {
  const plan = aTrainingJob().policy({ holdOnFailureMs: 3_600_000 });
  const job = aRunWithEvidence(plan)
    .does('createAttempt', 7)
    .receives(aDigest(8).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 }));
  job.isRefused('capture', FULL).reaches('refused').continueAsNew();
  expect([job.state, job.secondsTo('refused')]).toEqual(['Restarting.Holding', undefined]);
  expect(job.fires('refused').state).toBe('Restarting.Holding');
});

it('a refused clean-up is retried until it succeeds', () => {
  const job = running(impatient()).stop().isRefused('cleanUp', FULL);
  expect(job.status).toMatchObject({ state: 'Finishing.CleaningUp', cause: { reason: 'StopRequested' } });
  expect(job.secondsTo('refused')).toBeUndefined();
  expect(job.does('cleanUp').state).toBe('Stopped');
});
