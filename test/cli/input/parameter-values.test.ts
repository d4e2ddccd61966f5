import { describe, expect, it } from '@jest/globals';
import { parameterValues } from '../../../cli/input/parameter-values.ts';

describe('the values of --set', () => {
  it.each([
    ['lr=0.10,1e-3', { lr: ['0.10', '1e-3'] }],
    ['seed=1..4,9', { seed: [1, 2, 3, 4, '9'] }],
    ['offset=-1..1', { offset: [-1, 0, 1] }],
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
    [['seed=1..99999'], /a range of at most 10000 numbers/],
    [['lr=1],[2'], /values separated by commas/],
    [['lr="a'], /values separated by commas/],
  ])('%s is refused', async (settings, message) => {
    await expect(parameterValues(settings)).rejects.toThrow(message);
  });
});
