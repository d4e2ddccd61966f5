import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

const paddle = () =>
  aPlan()
    .workers(2)
    .listing({ when: 'addressed', roles: ['Worker'] });
const created = () => aRun(paddle()).does('createAttempt', 10);
const twoPods = (resourceVersion: number, hash: string) =>
  aDigest(resourceVersion).workers({ scheduled: 2 }).hostList(2, hash);
const publishes = (hash: string) => [{ type: 'publishHostList', attempt: 1, hash }];

describe('the list of a job’s pods', () => {
  it('is written when every pod has an address', () => {
    expect(created().receives(twoPods(11, 'a')).effects).toEqual(publishes('a'));
  });

  it('is not written while one has none', () => {
    expect(created().receives(aDigest(11).workers({ scheduled: 2 }).hostList(1, 'a')).effects).toEqual([]);
  });

  it('is not written from a digest that is older than the last change', () => {
    expect(created().receives(twoPods(9, 'a')).effects).toEqual([]);
  });

  it('is written once', () => {
    expect(created().receives(twoPods(11, 'a')).receives(twoPods(12, 'a')).effects).toEqual([]);
  });

  it('is written once also when the workflow continues in a new run', () => {
    expect(created().receives(twoPods(11, 'a')).continueAsNew().receives(twoPods(12, 'a')).effects).toEqual(
      [],
    );
  });

  it('is written again when a pod has another address', () => {
    expect(created().receives(twoPods(11, 'a')).receives(twoPods(12, 'b')).effects).toEqual(publishes('b'));
  });

  it('fails the job if it cannot be written', () => {
    const cause = { reason: 'NameTaken', message: 'ConfigMap ml/resnet already exists' } as const;
    const run = created().receives(twoPods(11, 'a')).failsTo('publishHostList', cause);
    expect(run.status).toMatchObject({ phase: 'Failed', cause });
  });

  it('is no longer written when the outcome is decided', () => {
    const run = created().receives(twoPods(11, 'a')).stop();
    expect(run.receives(twoPods(13, 'b')).effects).toEqual([]);
  });

  it('of ready pods leaves out those that have failed for good', () => {
    const plan = aPlan()
      .launcher({ after: [] })
      .workersWith(2, { onFailure: { do: 'ignore', rule: 'workers are counted only' } })
      .listing({ when: 'ready', roles: ['Worker'] });
    const run = aRun(plan).does('createAttempt', 10);
    run.receives(aDigest(11).launcher({ ready: 1 }).workers({ ready: 2 }).hostList(2, 'a'));
    expect(run.effects).toEqual(publishes('a'));
    run.receives(
      aDigest(12).launcher({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure().hostList(1, 'b'),
    );
    expect(run.effects).toEqual(publishes('b'));
  });
});
