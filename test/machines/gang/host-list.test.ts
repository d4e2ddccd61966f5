import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aLife } from '../life.ts';

const paddle = () =>
  aPlan()
    .workers(2)
    .listing({ when: 'addressed', roles: ['Worker'] });
const created = () => aLife(paddle()).does('createAttempt', 10);
const twoPods = (revision: number, hash: string) =>
  aDigest(revision).workers({ scheduled: 2 }).hostList(2, hash);
const publishes = (hash: string) => [{ type: 'publishHostList', attempt: 1, hash }];

describe('the list of a job’s pods', () => {
  it('is written when every pod has an address', () => {
    expect(created().hears(twoPods(11, 'a')).effects).toEqual(publishes('a'));
  });

  it('is not written while one has none', () => {
    expect(created().hears(aDigest(11).workers({ scheduled: 2 }).hostList(1, 'a')).effects).toEqual([]);
  });

  it('is not written from a digest that has not seen what was created last', () => {
    expect(created().hears(twoPods(9, 'a')).effects).toEqual([]);
  });

  it('is written once', () => {
    expect(created().hears(twoPods(11, 'a')).hears(twoPods(12, 'a')).effects).toEqual([]);
  });

  it('is written once also when the workflow goes on in a new run', () => {
    expect(created().hears(twoPods(11, 'a')).continueAsNew().hears(twoPods(12, 'a')).effects).toEqual([]);
  });

  it('is renewed when a pod has another address', () => {
    expect(created().hears(twoPods(11, 'a')).hears(twoPods(12, 'b')).effects).toEqual(publishes('b'));
  });

  it('that cannot be written fails the job', () => {
    const cause = { reason: 'NameTaken', message: 'ConfigMap ml/resnet already exists' } as const;
    const life = created().hears(twoPods(11, 'a')).failsTo('publishHostList', cause);
    expect(life.status).toMatchObject({ phase: 'Failed', cause });
  });

  it('is not written any more when the outcome is known', () => {
    const life = created().hears(twoPods(11, 'a')).stop();
    expect(life.hears(twoPods(13, 'b')).effects).toEqual([]);
  });

  it('of ready pods leaves out those that have failed for good', () => {
    const plan = aPlan()
      .launcher({ after: [] })
      .workersWith(2, { onFailure: { do: 'ignore', rule: 'workers are counted only' } })
      .listing({ when: 'ready', roles: ['Worker'] });
    const life = aLife(plan).does('createAttempt', 10);
    life.hears(aDigest(11).launcher({ ready: 1 }).workers({ ready: 2 }).hostList(2, 'a'));
    expect(life.effects).toEqual(publishes('a'));
    life.hears(
      aDigest(12).launcher({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure().hostList(1, 'b'),
    );
    expect(life.effects).toEqual(publishes('b'));
  });
});
