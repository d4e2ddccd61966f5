import { describe, expect, it } from '@jest/globals';
import { parameterValues } from '../../../cli/input/parameter-values.ts';

/** Numbers that are added have more digits than people write: 0.30000000000000004. */
it('has no binary noise in any range of hundredths', async () => {
  for (let first = 1; first < 100; first++) {
    const { lr } = await parameterValues([`lr=${first / 100}..2/0.01`]);
    expect(lr?.every((value) => /^\d(\.\d\d?)?$/.test(String(value)))).toBe(true);
    expect(lr).toHaveLength(201 - first);
  }
});

describe('the values of --set', () => {
  it.each([
    ['lr=0.10,1e-3', { lr: ['0.10', '1e-3'] }],
    ['seed=1..4,9', { seed: [1, 2, 3, 4, '9'] }],
    ['offset=-1..1', { offset: [-1, 0, 1] }],
    ['seed=08..11', { seed: ['08', '09', '10', '11'] }],
    ['shard=0..100/050', { shard: [0, 50, 100] }],
    ['shard=000..100/50', { shard: ['000', '050', '100'] }],
    ['offset=-01..1', { offset: ['-01', '000', '001'] }],
    ['lr=00.5..1/0.5', { lr: [0.5, 1] }],
    ['lr=0.1..0.5/0.1', { lr: [0.1, 0.2, 0.3, 0.4, 0.5] }],
    ['lr=0.1..0.75/.2', { lr: [0.1, 0.3, 0.5, 0.7] }],
    ['batch=16..64/16', { batch: [16, 32, 48, 64] }],
    ['temp=-0.5..0.5/0.25', { temp: [-0.5, -0.25, 0, 0.25, 0.5] }],
    ['lr=1e-4..1e-1*10', { lr: [0.0001, 0.001, 0.01, 0.1] }],
    ['lr=0.003..0.3*10,1', { lr: [0.003, 0.03, 0.3, '1'] }],
    ['depth=1..10*2', { depth: [1, 2, 4, 8] }],
    ['spec.a.rate=0.1..0.3/0.1', { 'spec.a.rate': [0.1, 0.2, 0.3] }],
    ['path=../data,a..b', { path: ['../data', 'a..b'] }],
    ['opt="a,b",sgd', { opt: ['a,b', 'sgd'] }],
    ['url=s3://data/1', { url: ['s3://data/1'] }],
    ['spec.a.replicas=1,2', { 'spec.a.replicas': [1, 2] }],
    ['spec.a[b]=[x,z],true', { 'spec.a[b]': [['x', 'z'], true] }],
  ])('%s', async (setting, set) => {
    expect(await parameterValues([setting])).toEqual(set);
  });

  it.each([
    [['lr'], /expected NAME=VALUES.*got "lr"/],
    [['=1'], /expected NAME=VALUES/],
    [['lr='], /expected at least one value/],
    [['lr=1', 'lr=2'], /the values of lr in one --set/],
    [['seed=5..1'], /a range with the smaller number first, got "seed=5..1"/],
    [['lr=0.5..0.1/0.1'], /a range with the smaller number first/],
    [['lr=0.1..0.5'], /a step or a factor after a range of fractions, e.g. 0\.1\.\.0\.5\/0\.1/],
    [['lr=0.1..0.5/0'], /a step above 0, got "lr=0.1..0.5\/0"/],
    [['lr=0.1..0.5/-0.1'], /a step above 0/],
    [['lr=0..1*10'], /a factor above 1, and a range above 0/],
    [['lr=0.1..1*0.5'], /a factor above 1/],
    [['lr=1e-999999999..1*10'], /a range of numbers with at most 324 places/],
    [['lr=0..1/1e-9'], /a range of at most 10000 numbers/],
    [['seed=1..99999'], /a range of at most 10000 numbers/],
    [['lr=1],[2'], /values separated by commas/],
    [['lr="a'], /values separated by commas/],
  ])('%s is refused', async (settings, message) => {
    await expect(parameterValues(settings)).rejects.toThrow(message);
  });
});
